package bundle

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
)

// document is a part of a file between --- lines, with the line it starts at.
type document struct {
	file string
	line int
	text []byte
}

// splitter reads a file document by document. Inside YAML and JSON values, no
// line can start with a document marker, so that the file need not be
// understood first.
type splitter struct {
	file string
	from *bufio.Reader
	// line is the line of what is read next, inLine whether a part of it was
	// read.
	line   int
	inLine bool
	// size is about how much text there is, 0 where that is not known.
	size int
}

// marker is the document marker that is read next, if any.
func (s *splitter) marker() string {
	if s.inLine {
		return ""
	}
	head, _ := s.from.Peek(len("---") + 1) // what fails here fails again when it is read
	for _, m := range []string{"---", "..."} {
		if marks(head, m) {
			return m
		}
	}
	return ""
}

// Read reads what is left of a document.
func (s *splitter) Read(to []byte) (int, error) {
	n := 0
	for n < len(to) && (n == 0 || s.from.Buffered() > 0) && s.marker() == "" {
		text, err := s.from.Peek(max(1, min(s.from.Buffered(), len(to)-n)))
		if len(text) == 0 {
			return n, err
		}
		text = untilMarker(text)
		s.line += bytes.Count(text, []byte("\n"))
		s.inLine = text[len(text)-1] != '\n'
		n += copy(to[n:], text)
		_, _ = s.from.Discard(len(text)) // it was peeked at
	}
	if n == 0 && len(to) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

// untilMarker is text up to the first line, but its own, that may start with a
// marker.
func untilMarker(text []byte) []byte {
	for end := 0; ; {
		i := bytes.IndexByte(text[end:], '\n')
		if i < 0 {
			return text
		}
		end += i + 1
		if end < len(text) && (text[end] == '-' || text[end] == '.') {
			return text[:end]
		}
	}
}

// begin goes past the marker that a document starts with, and is what of the
// marker belongs to the document; more is false at the end of the file.
func (s *splitter) begin() (text string, more bool, err error) {
	for {
		if head, err := s.from.Peek(1); len(head) == 0 {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return "", false, err
		}
		m := s.marker()
		if m == "" {
			return "", true, nil
		}
		_, _ = s.from.Discard(len(m)) // marker peeked at it
		s.inLine = true
		if m == "---" {
			return m, true, nil // what follows on its line belongs to the document
		}
		if err := s.skipLine(); err != nil {
			return "", false, err
		}
	}
}

func (s *splitter) skipLine() error {
	for s.inLine {
		if _, err := s.Read(make([]byte, 1)); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

// rest reads the rest of a document behind text.
func (s *splitter) rest(text []byte) ([]byte, error) {
	for {
		if len(text) == cap(text) {
			more := max(len(text), 4<<10)
			if more > 1<<20 && s.size > len(text) {
				more = s.size - len(text) // to double it step by step takes more
			}
			text = slices.Grow(text, more)
		}
		n, err := s.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		if errors.Is(err, io.EOF) {
			return text, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func marks(line []byte, marker string) bool {
	rest, ok := bytes.CutPrefix(line, []byte(marker))
	return ok && (len(rest) == 0 || bytes.IndexByte([]byte(" \t\r\n"), rest[0]) >= 0)
}

// lineEnd is where the line that starts at pos ends, after its newline.
func lineEnd(data []byte, pos int) int {
	if i := bytes.IndexByte(data[pos:], '\n'); i >= 0 {
		return pos + i + 1
	}
	return len(data)
}

// blank reports whether the document has nothing but space, comments and
// directives.
func (d document) blank() bool {
	text := d.text
	if marks(text, "---") {
		text = text[len("---"):]
	}
	for pos := 0; pos < len(text); {
		next := lineEnd(text, pos)
		if line := bytes.TrimSpace(text[pos:next]); len(line) > 0 && line[0] != '#' && line[0] != '%' {
			return false
		}
		pos = next
	}
	return true
}

// at prefixes err with a place in a file, unless it says where already.
func at(file string, line int, err error) error {
	if errors.As(err, new(*placed)) {
		return err
	}
	return &placed{fmt.Errorf("%s:%d: %w", file, line, err)}
}

func (d document) at(line int, err error) error { return at(d.file, line, err) }
