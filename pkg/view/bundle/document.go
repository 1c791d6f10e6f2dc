package bundle

import (
	"bytes"
	"fmt"
)

// maxFlow bounds the YAML in flow style, which starts with a brace as JSON does
// and which only people write.
const maxFlow = 1 << 20

// document is a part of a file between --- lines, with the line it starts at.
type document struct {
	file string
	line int
	text []byte
}

// eachDocument splits a file. Inside YAML and JSON values, no line can start
// with a document marker, so that the file need not be understood first.
func eachDocument(file string, data []byte, emit func(document) error) error {
	start, startLine := 0, 1
	var failed error
	cut := func(end int) {
		if d := (document{file, startLine, data[start:end]}); failed == nil && !d.blank() {
			failed = emit(d)
		}
	}
	for pos, line := 0, 1; pos < len(data) && failed == nil; line++ {
		next := lineEnd(data, pos)
		switch {
		case marks(data[pos:next], "---"):
			cut(pos)
			start, startLine = pos, line // what follows --- on its line belongs to the document
		case marks(data[pos:next], "..."):
			cut(pos)
			start, startLine = next, line+1
		}
		pos = next
	}
	cut(len(data))
	return failed
}

// lineEnd is where the line that starts at pos ends, after its newline.
func lineEnd(data []byte, pos int) int {
	if i := bytes.IndexByte(data[pos:], '\n'); i >= 0 {
		return pos + i + 1
	}
	return len(data)
}

func marks(line []byte, marker string) bool {
	rest, ok := bytes.CutPrefix(line, []byte(marker))
	return ok && (len(rest) == 0 || bytes.IndexByte([]byte(" \t\r\n"), rest[0]) >= 0)
}

// blank tells whether the document has nothing but space, comments and
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

// at prefixes err with a place in the document's file.
func (d document) at(line int, err error) error {
	return fmt.Errorf("%s:%d: %w", d.file, line, err)
}

// values parses the document.
func (d document) values() ([]value, error) {
	body := bytes.TrimPrefix(d.text, []byte("---"))
	trimmed := bytes.TrimLeft(body, " \t\r\n")
	if len(trimmed) == 0 || trimmed[0] != '{' && trimmed[0] != '[' {
		return d.yamlValues()
	}
	line := d.line + bytes.Count(body[:len(body)-len(trimmed)], []byte("\n"))
	values, at, err := jsonValues(trimmed, line)
	if err == nil {
		return values, nil
	}
	if len(trimmed) <= maxFlow {
		if values, yamlErr := d.yamlValues(); yamlErr == nil {
			return values, nil
		}
	}
	return nil, d.at(at, err)
}
