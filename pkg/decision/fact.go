package decision

import (
	"fmt"
	"time"
)

// Key names a fact. Each is a constant of the package whose rules read it.
type Key string

// Fact is one value that an answer turned on. Facts form a tree: a derived value has
// what it was derived from, a leaf has the field that it was read from.
type Fact struct {
	// Name is the upstream variable or the field's own name.
	Name string `json:"name"`
	// Value is the value. Durations and times are text.
	Value any `json:"value"`
	// Path is the object and the field that it was read from.
	Path string `json:"path,omitempty"`
	// Op says how the value follows from those in of, in upstream's variable names.
	Op string `json:"op,omitempty"`
	// Of are the values that it follows from.
	Of Facts `json:"of,omitempty"`
}

// Facts is an ordered list of facts with look-up by name.
type Facts []Fact

// F is a leaf fact without a field path. It and At are called some six hundred times, and
// would be longer in line than the call.
//
//go:noinline
func F(name Key, value any) Fact { return Fact{Name: string(name), Value: widen(value)} }

// At is a leaf fact read from a field path.
//
//go:noinline
func At(name Key, value any, path string) Fact {
	return Fact{Name: string(name), Value: widen(value), Path: path}
}

// Derived is a fact computed from others by op.
//
//go:noinline
func Derived(name Key, value any, op string, of ...Fact) Fact {
	return Fact{Name: string(name), Value: widen(value), Op: op, Of: of}
}

// widen keeps one integer type in the model, so that facts compare and encode alike.
func widen(v any) any {
	switch n := v.(type) {
	case int:
		return int64(n)
	case int32:
		return int64(n)
	default:
		return v
	}
}

// Get finds a fact by name, depth first.
func (fs Facts) Get(name Key) (Fact, bool) {
	for _, f := range fs {
		if f.Name == string(name) {
			return f, true
		}
		if sub, ok := f.Of.Get(name); ok {
			return sub, true
		}
	}
	return Fact{}, false
}

// Int is the integer value of a fact, 0 when it is absent or no integer. Like F,
// it is called too often to stand in line.
//
//go:noinline
func (fs Facts) Int(name Key) int64 {
	f, _ := fs.Get(name)
	n, _ := f.Value.(int64)
	return n
}

// Str is the value of a fact as text, "" when it is absent.
func (fs Facts) Str(name Key) string {
	f, ok := fs.Get(name)
	if !ok {
		return ""
	}
	if text, ok := f.Value.(string); ok {
		return text
	}
	return fmt.Sprint(f.Value)
}

// Brief is a fact that is a Go duration as kubectl prints ages. Other text stays as it
// is.
func (fs Facts) Brief(name Key) string {
	text := fs.Str(name)
	d, err := time.ParseDuration(text)
	if err != nil {
		return text
	}
	return Span(d).Brief()
}
