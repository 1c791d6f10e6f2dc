package redact

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/manager"
)

// prefix starts every value that stands in for another.
const prefix = "redacted-"

// Quoted is how JSON begins a value that stands in for another.
const Quoted = `"` + prefix

// StandIn reports whether a value stands in for another.
func StandIn(value string) bool { return strings.HasPrefix(value, prefix) }

// Keep names the values that stay as they are, because decisions read them.
type Keep struct {
	// Annotations and Env are names of annotations and environment variables.
	Annotations, Env []string
	// Flag reports whether a word of a command line is a flag to keep, and
	// whether its value is the next word. It may be nil.
	Flag func(word string) (kept, valueNext bool)
}

// Redactor replaces values. Equal values stay equal among the objects of one
// Redactor.
type Redactor struct {
	keep Keep
	// seen numbers the values of each variable, in the order in which they come.
	seen map[string]map[string]int
}

// New returns a Redactor.
func New(keep Keep) *Redactor { return &Redactor{keep, map[string]map[string]int{}} }

// Object replaces values in an object, which is JSON data.
func (r *Redactor) Object(obj map[string]any) {
	if data, ok := obj["data"]; ok && !isObject(data) {
		obj["data"] = nil // the data of a revision; what has no fields cannot be redacted
	}
	r.walk(obj)
}

func isObject(v any) bool { _, ok := v.(map[string]any); return ok }

// walk finds what holds values by the names that the API gives it.
func (r *Redactor) walk(v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			r.member(v, key)
		}
	case []any:
		for _, item := range v {
			r.walk(item)
		}
	}
}

// inner are the fields of objects of a name whose values are replaced. Outside
// of these objects their names are too common.
var inner = map[string][]string{
	"flexVolume":     {"options"},
	"gitRepo":        {"repository"},
	"azureDisk":      {"diskURI"},
	"scaleIO":        {"gateway"},
	"grpc":           {"service"},
	"httpGet":        {"path"},
	"terminated":     {"message"},
	"windowsOptions": {"gmsaCredentialSpec"},
	"podCertificate": {"userAnnotations"},
}

// member replaces the values of one field. A string is none of these fields: it
// is a label, or a key of other data.
func (r *Redactor) member(obj map[string]any, key string) {
	switch child := obj[key].(type) {
	case []any:
		switch key {
		case "args", "command":
			r.words(child)
			return
		case "env", "httpHeaders":
			r.named(key, child)
		}
	case map[string]any:
		switch key {
		case "annotations":
			r.annotations(child)
			return
		case "env", "volumeAttributes":
			r.values(key, child)
			return
		}
		for _, field := range inner[key] {
			r.field(key, child, field)
		}
	}
	r.walk(obj[key])
}

// field replaces the value of one field, or each of a map of values.
func (r *Redactor) field(parent string, obj map[string]any, field string) {
	switch value := obj[field].(type) {
	case nil:
	case map[string]any:
		r.values(parent+" "+field, value)
	default:
		obj[field] = r.standIn(parent+" "+field, value)
	}
}

// named replaces the values of a list of names and values.
func (r *Redactor) named(field string, list []any) {
	for _, item := range list {
		entry, _ := item.(map[string]any)
		name, _ := entry["name"].(string)
		if value := entry["value"]; value != nil && (field != "env" || !slices.Contains(r.keep.Env, name)) {
			entry["value"] = r.standIn(field+" "+name, value)
		}
	}
}

// values replaces the values of a map.
func (r *Redactor) values(field string, m map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(m)) {
		m[name] = r.standIn(field+" "+name, m[name])
	}
}

// words replaces the words of a command line, except for the flags to keep.
func (r *Redactor) words(args []any) {
	next := false
	for i, arg := range args {
		var kept []string
		text := fmt.Sprint(arg)
		words := manager.Words(text, next)
		for _, word := range words {
			keep := next && !strings.HasPrefix(word, "-")
			next = false
			if !keep && r.keep.Flag != nil {
				keep, next = r.keep.Flag(word)
			}
			if keep {
				kept = append(kept, word)
			}
		}
		if len(kept) < len(words) || len(words) == 0 {
			args[i] = strings.Join(append([]string{r.standIn("argument", text)}, kept...), " ")
		}
	}
}

// standIn is what stands for a value, which is empty for nothing.
func (r *Redactor) standIn(of string, value any) string {
	text := fmt.Sprint(value)
	if value == nil || text == "" {
		return ""
	}
	values, ok := r.seen[of]
	if !ok {
		values = map[string]int{}
		r.seen[of] = values
	}
	n, ok := values[text]
	if !ok {
		n = len(values) + 1
		values[text] = n
	}
	return fmt.Sprintf("%s%d", prefix, n)
}
