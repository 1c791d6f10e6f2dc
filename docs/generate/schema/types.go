package schema

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// Type is a type that documents are made of.
type Type struct {
	Name, Description string
	// Fields are those of an object, in their order.
	Fields []Field
	// Values are those of a closed set.
	Values []Value
}

// Field is a field of an object.
type Field struct {
	Name, Description string
	// Of is the type of its values, or of the elements of an array or a map.
	Of                   reflect.Type
	Array, Map, Optional bool
	// named is the name of the Type of its values, keysNamed of the keys of a map,
	// empty for plain ones.
	named, keysNamed string
	// fixed is the only value that it may have, empty where there are others.
	fixed string
}

// Document is a kind of document, with what prints it.
type Document struct {
	Kind, Printed string
	Sample        any
}

// model is all types of all documents.
type model struct {
	version   string
	src       sources
	documents []Type
	types     []Type
	names     map[reflect.Type]string
	taken     map[string]bool
	// document is the kind whose types are being read. It is part of the name of a type
	// where another document has a type of the same name.
	document string
	pending  []reflect.Type
	errs     []error
}

func newModel(version string, documents []Document) (*model, error) {
	m := &model{version: version, src: sources{}, names: map[reflect.Type]string{}, taken: map[string]bool{}}
	for _, d := range documents {
		m.taken[d.Kind] = true
	}
	for _, d := range documents {
		m.document = d.Kind
		m.names[reflect.TypeOf(d.Sample)] = d.Kind // items of a list are of the kind before it
		fields := []Field{
			{Name: "apiVersion", Description: "The version of the form.", fixed: version},
			{Name: "kind", Description: "The kind of the document.", fixed: d.Kind},
		}
		m.documents = append(m.documents, Type{Name: d.Kind, Description: d.Printed, Fields: append(fields, m.fields(reflect.TypeOf(d.Sample))...)})
		for len(m.pending) > 0 {
			next := m.pending[0]
			m.pending = m.pending[1:]
			m.types = append(m.types, m.typed(next))
		}
	}
	slices.SortFunc(m.types, func(a, b Type) int { return strings.Compare(a.Name, b.Name) })
	return m, errors.Join(m.errs...)
}

func (m *model) fail(format string, args ...any) {
	m.errs = append(m.errs, fmt.Errorf(format, args...))
}

// name returns the name of a type that documents refer to, and takes note of it.
func (m *model) name(t reflect.Type) string {
	if name, ok := m.names[t]; ok {
		return name
	}
	name := t.Name()
	if m.taken[name] {
		name = m.document + name
	}
	m.names[t], m.taken[name] = name, true
	m.pending = append(m.pending, t)
	return name
}

func (m *model) typed(t reflect.Type) Type {
	src, err := m.src.of(t)
	if err != nil {
		m.fail("%w", err)
		return Type{}
	}
	out := Type{Name: m.names[t], Description: described(src.types[t.Name()], t.Name())}
	if out.Description == "" {
		m.fail("%s has no comment", t)
	}
	if t.Kind() == reflect.Struct {
		out.Fields = m.fields(t)
		return out
	}
	out.Values = src.values[t.Name()]
	if len(out.Values) == 0 {
		m.fail("%s has no constants", t)
	}
	for _, v := range out.Values {
		if v.Description == "" {
			m.fail("%s: the constant %q has no comment", t, v.Name)
		}
	}
	return out
}

// fields returns the fields of a struct as encoding/json writes them, those of
// embedded structs among them.
func (m *model) fields(t reflect.Type) []Field {
	var out []Field
	for f := range t.Fields() {
		name, options, tagged := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Type == reflect.TypeFor[metav1.TypeMeta](), name == "-":
		case f.Anonymous && name == "":
			embedded := f.Type
			if embedded.Kind() == reflect.Pointer {
				embedded = embedded.Elem()
			}
			out = append(out, m.fields(embedded)...)
		case !f.IsExported():
		case name == "":
			m.fail("%s.%s has no json tag", t, f.Name)
		default:
			out = append(out, m.field(t, f, name, tagged && strings.Contains(options, "omit")))
		}
	}
	return out
}

func (m *model) field(of reflect.Type, f reflect.StructField, name string, optional bool) Field {
	out := Field{Name: name, Of: f.Type, Optional: optional}
	if src, err := m.src.of(of); err != nil {
		m.fail("%w", err)
	} else {
		out.Description = described(src.fields[of.Name()][f.Name], f.Name)
	}
	m.check(of, f.Name, out.Description)
	switch out.Of.Kind() {
	case reflect.Slice:
		out.Array, out.Of = true, out.Of.Elem()
	case reflect.Map:
		out.Map, out.keysNamed, out.Of = true, m.refer(out.Of.Key()), out.Of.Elem()
	}
	if out.Of.Kind() == reflect.Pointer {
		out.Of = out.Of.Elem()
	}
	out.named = m.refer(out.Of)
	return out
}

// inGo matches what only a reader of the Go code understands.
var inGo = regexp.MustCompile(`\b([Nn]il|[A-Z][a-z]+[A-Z]\w*)\b`)

// check refuses a comment that is absent, or that names things as Go does.
func (m *model) check(of reflect.Type, name, comment string) {
	if comment == "" {
		m.fail("%s.%s has no comment", of, name)
	}
	for _, word := range inGo.FindAllString(comment, -1) {
		_, field := of.FieldByName(word)
		if field || strings.EqualFold(word, "nil") {
			m.fail("%s.%s: the comment says %s, as in Go: %s", of, name, word, comment)
		}
	}
}

// refer names the type of a field that is an object or a closed set.
func (m *model) refer(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[time.Time](), t == reflect.TypeFor[decision.Span]():
		return ""
	case t.Kind() == reflect.Struct, t.Kind() == reflect.String && t.PkgPath() != "":
		return m.name(t)
	}
	return ""
}
