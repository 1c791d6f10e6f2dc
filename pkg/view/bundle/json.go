package bundle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// jsonStream walks concatenated JSON values. It hands on the objects of lists
// as it goes, so that neither a file nor a list is ever held as a whole.
type jsonStream struct {
	place piece // of the values: file, line, and path where they are in a list
	depth int   // of lists
	emit  func(piece) error

	dec   *json.Decoder
	lines *lines
	// scratch holds a part of a value, raw an object without its items.
	scratch json.RawMessage
	raw     []byte
	// named are the members of that object.
	named map[string]bool
	walk  walk
}

// json hands on all objects of r, whose text starts at the place.
func (p piece) json(r io.Reader, depth int, emit func(piece) error) error {
	if depth > maxLists {
		return p.wrap(fmt.Errorf("lists are nested deeper than %d", maxLists))
	}
	s := &jsonStream{place: p, depth: depth, emit: emit, named: map[string]bool{}, lines: &lines{from: r, line: p.line}}
	s.dec = json.NewDecoder(s.lines)
	s.lines.dec = s.dec
	if err := s.values(); err != nil {
		return at(p.file, s.lineOf(err), explain(err))
	}
	return nil
}

// values walks all values.
func (s *jsonStream) values() error {
	for n, nulls := 0, 0; ; n++ {
		token, err := s.dec.Token()
		switch {
		case err == io.EOF:
			return nil
		case err != nil && n > 0:
			return s.trailing(err)
		case err != nil:
			return err
		case token == nil:
			if nulls++; nulls > maxOther {
				return tooMany(maxOther)
			}
		case token == json.Delim('{'):
			if err := s.object(); errors.Is(err, io.EOF) {
				return io.ErrUnexpectedEOF
			} else if err != nil {
				return err
			}
		default:
			return s.at(s.dec.InputOffset()).wrap(expectedObject(opening(token)))
		}
	}
}

// trailing is what a syntax error behind a value is about: nothing where only
// comments follow, as they may where JSON is a document of YAML, or a message that
// kubectl wrote into the same file.
func (s *jsonStream) trailing(err error) error {
	if syntax := (*json.SyntaxError)(nil); !errors.As(err, &syntax) {
		return err
	}
	line := s.lineOf(err)
	rest, failed := io.ReadAll(io.LimitReader(io.MultiReader(s.dec.Buffered(), s.lines), maxObject))
	if failed != nil || len(rest) == maxObject {
		return err
	}
	if bytes.HasPrefix(rest, []byte("# ")) && (document{text: rest}).blank() {
		return nil
	}
	if lines, message := checkMessages(rest); message != nil {
		return at(s.place.file, line+lines, message)
	}
	return err
}

// at is the place of an offset that is not before those asked earlier.
func (s *jsonStream) at(offset int64) piece {
	p := s.place
	p.typeMeta, p.raw, p.line = typeMeta{}, nil, s.lines.at(offset)
	return p
}

func (s *jsonStream) lineOf(err error) int {
	offset := s.dec.InputOffset()
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		offset = max(offset, syntax.Offset-1)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		offset = s.lines.end
	}
	return s.lines.at(offset)
}

func explain(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the JSON ends in the middle of a value: is the file cut short?")
	}
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		return fmt.Errorf("not valid JSON: %w", err)
	}
	return err
}

// object reads an object whose brace was read, and hands it on, or what it
// holds when it is a list.
func (s *jsonStream) object() error {
	l := list{place: s.at(s.dec.InputOffset()), depth: s.depth, emit: s.emit}
	s.raw = append(s.raw[:0], '{')
	clear(s.named)
	for s.dec.More() {
		if err := s.member(&l); err != nil {
			return err
		}
	}
	if _, err := s.dec.Token(); err != nil {
		return err
	}
	s.raw = append(s.raw, '}')
	return l.finish(s.raw)
}

// member reads one member of an object.
func (s *jsonStream) member(l *list) error {
	key, err := s.dec.Token()
	if err != nil {
		return err
	}
	if key == "items" {
		return s.items(l)
	}
	if !isField(key) {
		return fmt.Errorf("%q is no field of an object: is it a message that was redirected into the file? Redirect standard output alone (without 2>&1)", shortened([]byte(key.(string))))
	}
	if s.named[key.(string)] {
		return s.at(s.dec.InputOffset()).wrap(errTwice(strconv.Quote(key.(string))))
	}
	s.named[key.(string)] = true
	if err := s.next(); err != nil {
		return err
	}
	switch key {
	case "kind":
		l.Kind = text(s.scratch)
	case "apiVersion":
		l.APIVersion = text(s.scratch)
	}
	return s.keep(key, s.scratch)
}

// isField reports whether a member can be a field of an object of the API: their
// names have no space, as messages have that are read as members.
func isField(key json.Token) bool {
	name, ok := key.(string)
	return !ok || !strings.ContainsAny(name, " \t\n")
}

// items reads the items of what may be a list. No kind that is read has a
// member of this name but lists: what is no array is left out of the object.
func (s *jsonStream) items(l *list) error {
	if l.found {
		return l.place.wrap(errors.New("items is there twice: put each list into a document of its own"))
	}
	token, err := s.dec.Token()
	if err != nil {
		return err
	}
	switch token {
	case json.Delim('['):
		l.found = true
		return s.elements(l)
	case json.Delim('{'):
		return s.skipObject()
	case nil:
		l.found = true // Go writes a list without items like this
	}
	return nil
}

func (s *jsonStream) elements(l *list) error {
	for s.dec.More() {
		if len(l.waiting) == maxOther {
			return tooMany(maxOther)
		}
		if err := s.next(); err != nil {
			return err
		}
		item := l.place.item(l.count)
		item.line, item.raw = s.lines.at(s.dec.InputOffset()-int64(len(s.scratch))), s.scratch
		if err := l.add(item); err != nil {
			return err
		}
	}
	_, err := s.dec.Token()
	return err
}

// skipObject skips an object whose brace was read.
func (s *jsonStream) skipObject() error {
	for s.dec.More() {
		if _, err := s.dec.Token(); err != nil {
			return err
		}
		if err := s.next(); err != nil {
			return err
		}
	}
	_, err := s.dec.Token()
	return err
}

// next reads a value.
func (s *jsonStream) next() error {
	s.scratch = s.scratch[:0]
	if err := s.dec.Decode(&s.scratch); err != nil {
		return err
	}
	if name, offset := s.walk.twiceIn(s.scratch); name != nil {
		return s.at(s.dec.InputOffset() - int64(len(s.scratch)-offset)).wrap(errTwice(string(name)))
	}
	return nil
}

// keep adds a member to the object that is being read.
func (s *jsonStream) keep(key json.Token, value []byte) error {
	name, err := json.Marshal(key)
	if err != nil {
		return err
	}
	if len(s.raw) > 1 {
		s.raw = append(s.raw, ',')
	}
	s.raw = append(append(append(s.raw, name...), ':'), value...)
	if len(s.raw) > maxObject {
		return errObjectTooLarge
	}
	return nil
}

// text is a value that has to be a string; anything else counts as missing, as
// it names no type.
func text(raw []byte) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return ""
	}
	return text
}
