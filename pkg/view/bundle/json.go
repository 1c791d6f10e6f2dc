package bundle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// jsonStream walks concatenated JSON values. It splits lists as it goes, so
// that no list is decoded as a whole.
type jsonStream struct {
	data []byte
	dec  *json.Decoder
	// counted and line are the newlines counted so far; offsets only grow.
	counted, line int
	scratch       json.RawMessage
}

// jsonValues parses all values of data, which starts at line. It returns the
// line of the error, if any.
func jsonValues(data []byte, line int) ([]value, int, error) {
	s := &jsonStream{data: data, line: line}
	s.dec = json.NewDecoder(&ration{s, bytes.NewReader(data), 0})
	var all []value
	for {
		start := s.next()
		if start == len(data) {
			return all, 0, nil
		}
		v, err := s.value(start)
		if err != nil {
			return nil, s.lineOf(err), explain(err)
		}
		all = append(all, v)
	}
}

// next is the offset of the next token, past space and separators.
func (s *jsonStream) next() int {
	for i := int(s.dec.InputOffset()); i < len(s.data); i++ {
		switch s.data[i] {
		case ' ', '\t', '\r', '\n', ',', ':':
		default:
			return i
		}
	}
	return len(s.data)
}

// lineAt is the line of an offset that is not before those asked earlier.
func (s *jsonStream) lineAt(offset int) int {
	if offset > s.counted {
		s.line += bytes.Count(s.data[s.counted:offset], []byte("\n"))
		s.counted = offset
	}
	return s.line
}

func (s *jsonStream) lineOf(err error) int {
	offset := s.dec.InputOffset()
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		offset = max(offset, syntax.Offset-1)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		offset = int64(len(bytes.TrimRight(s.data, " \t\r\n")))
	}
	return s.lineAt(min(int(offset), len(s.data)))
}

func explain(err error) error {
	if errors.Is(err, errTooMany) || errors.Is(err, errTooLarge) {
		return err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return errors.New("the JSON ends in the middle of a value: is the file cut short?")
	}
	return fmt.Errorf("not valid JSON: %w", err)
}

// value reads one value: the members of an object one by one, anything else
// as it is.
func (s *jsonStream) value(start int) (value, error) {
	v := value{line: s.lineAt(start)}
	if s.data[start] != '{' {
		if err := s.skip(); err != nil {
			return v, err
		}
		v.raw = s.data[start:s.dec.InputOffset()]
		return v, nil
	}
	if _, err := s.dec.Token(); err != nil {
		return v, err
	}
	for s.dec.More() {
		if err := s.member(&v); err != nil {
			return v, err
		}
	}
	if _, err := s.dec.Token(); err != nil {
		return v, err
	}
	v.raw = s.data[start:s.dec.InputOffset()]
	v.isList = v.listKind()
	return v, nil
}

// member reads one member of a top-level object.
func (s *jsonStream) member(v *value) error {
	key, err := s.dec.Token()
	if err != nil {
		return err
	}
	start := s.next()
	switch {
	case key == "items" && start < len(s.data) && s.data[start] == '[':
		v.items, err = s.elements()
		return err
	case key == "kind":
		return s.text(&v.Kind)
	case key == "apiVersion":
		return s.text(&v.APIVersion)
	}
	return s.skip()
}

// elements reads the items of a list without looking into them.
func (s *jsonStream) elements() ([]value, error) {
	if _, err := s.dec.Token(); err != nil {
		return nil, err
	}
	var items []value
	for s.dec.More() {
		if len(items) == maxObjects {
			return nil, errTooMany
		}
		start := s.next()
		item := value{line: s.lineAt(start)}
		if err := s.skip(); err != nil {
			return nil, err
		}
		item.raw = s.data[start:s.dec.InputOffset()]
		items = append(items, item)
	}
	_, err := s.dec.Token()
	return items, err
}

// text reads a member that has to be a string; anything else counts as
// missing, as it names no type.
func (s *jsonStream) text(to *string) error {
	if err := s.skip(); err != nil {
		return err
	}
	var text string
	if json.Unmarshal(s.scratch, &text) == nil {
		*to = text
	}
	return nil
}

// skip checks one value and keeps it in scratch.
func (s *jsonStream) skip() error {
	s.scratch = s.scratch[:0]
	return s.dec.Decode(&s.scratch)
}
