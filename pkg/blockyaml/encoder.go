package blockyaml

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// longKey is the length in bytes above which a key stands on a line of its own, after
// a question mark. YAML reads other keys up to 1024, quotes and escapes counted, which
// make of a byte six at most.
const longKey = 128

// Encoder lays out documents. It keeps what it learned of scalars, so that
// equal ones cost once.
type Encoder struct {
	buf     []byte
	scalars scalars
}

// NewEncoder returns an Encoder.
func NewEncoder() *Encoder { return &Encoder{scalars: newScalars()} }

// Marshal is v as YAML. v is anything that encoding/json takes.
func Marshal(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var tree any
	if err := dec.Decode(&tree); err != nil {
		return nil, err
	}
	return NewEncoder().Encode(tree)
}

// Encode is one document of JSON values: maps by string, slices, strings,
// numbers, booleans and nil. The text is valid until the next call.
func (e *Encoder) Encode(tree any) ([]byte, error) {
	e.buf = e.buf[:0]
	if err := e.value(tree, 0, false); err != nil {
		return nil, err
	}
	return e.buf, nil
}

// value writes a value behind a key, a dash or nothing, and ends its last line.
// Its own lines start at indent. With inline, the first line has begun already
// and is as far in as the others.
func (e *Encoder) value(v any, indent int, inline bool) error {
	switch v := v.(type) {
	case map[string]any:
		return e.object(v, indent, inline)
	case []any:
		return e.array(v, indent, inline)
	}
	return e.scalar(v, indent-2)
}

func (e *Encoder) object(m map[string]any, indent int, inline bool) error {
	if len(m) == 0 {
		e.buf = append(e.buf, "{}\n"...)
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if !inline {
			e.indent(indent)
		}
		inline = false
		if err := e.key(key, indent); err != nil {
			return err
		}
		if err := e.member(m[key], indent); err != nil {
			return err
		}
	}
	return nil
}

// key writes a key and its colon.
func (e *Encoder) key(key string, indent int) error {
	text, err := e.scalars.key(key)
	if err != nil {
		return err
	}
	if len(key) > longKey {
		e.buf = append(append(e.buf, "? "...), text...)
		e.buf = append(e.buf, '\n')
		e.indent(indent)
		text = ""
	}
	e.buf = append(append(e.buf, text...), ':')
	return nil
}

// member writes the value of a key at indent. A list is not indented.
func (e *Encoder) member(v any, indent int) error {
	switch v := v.(type) {
	case map[string]any:
		if len(v) > 0 {
			e.buf = append(e.buf, '\n')
			return e.object(v, indent+2, false)
		}
	case []any:
		if len(v) > 0 {
			e.buf = append(e.buf, '\n')
			return e.array(v, indent, false)
		}
	}
	e.buf = append(e.buf, ' ')
	return e.value(v, indent+2, false)
}

func (e *Encoder) array(items []any, indent int, inline bool) error {
	if len(items) == 0 {
		e.buf = append(e.buf, "[]\n"...)
		return nil
	}
	for _, item := range items {
		if !inline {
			e.indent(indent)
		}
		inline = false
		e.buf = append(e.buf, "- "...)
		if err := e.value(item, indent+2, true); err != nil {
			return err
		}
	}
	return nil
}

// scalar writes what is neither object nor list, and belongs to a line at
// indent.
func (e *Encoder) scalar(v any, indent int) error {
	switch v := v.(type) {
	case nil:
		e.buf = append(e.buf, "null"...)
	case bool:
		e.buf = strconv.AppendBool(e.buf, v)
	case int64:
		e.buf = strconv.AppendInt(e.buf, v, 10)
	case string:
		text, err := e.scalars.text(v)
		if err != nil {
			return err
		}
		e.lines(text, indent)
	case json.Number, float64:
		text, err := number(v)
		if err != nil {
			return err
		}
		e.buf = append(e.buf, text...)
	default:
		return fmt.Errorf("%T is no JSON value", v)
	}
	e.buf = append(e.buf, '\n')
	return nil
}

// lines writes a scalar; the second and further lines move in with their
// parent.
func (e *Encoder) lines(text string, indent int) {
	first, rest, more := strings.Cut(text, "\n")
	e.buf = append(e.buf, first...)
	for more {
		var line string
		line, rest, more = strings.Cut(rest, "\n")
		e.buf = append(e.buf, '\n')
		if line != "" {
			e.indent(indent)
		}
		e.buf = append(e.buf, line...)
	}
}

func (e *Encoder) indent(n int) {
	for range n {
		e.buf = append(e.buf, ' ')
	}
}
