package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	yaml "go.yaml.in/yaml/v2"
)

// scan hands on all objects of a document of YAML: item by item when it is laid
// out as kubectl lays out lists, else as a whole.
func (d document) scan(emit func(piece) error) error {
	if line, err := checkMessages(d.text); err != nil {
		return d.at(d.line+line, err)
	}
	if s, ok := d.splitList(); ok {
		return s.emit(emit)
	}
	raw, err := toJSON(d.text)
	if err != nil || typeOf(raw).Kind == "" {
		if err := mistaken(d.text); err != nil { // it may be something else altogether
			return d.at(d.line, err)
		}
	}
	if err != nil {
		line, err := yamlError(err)
		return d.at(d.line+line, err)
	}
	return piece{file: d.file, line: d.firstLine()}.json(bytes.NewReader(raw), 0, emit)
}

// firstLine is the line that the document's content starts at.
func (d document) firstLine() int {
	line := d.line
	for pos := 0; pos < len(d.text); line++ {
		next := lineEnd(d.text, pos)
		if text := strings.TrimSpace(string(d.text[pos:next])); text != "" && text != "---" && text[0] != '#' {
			return line
		}
		pos = next
	}
	return d.line
}

// toJSON converts one document. goyaml bounds how much its aliases multiply
// values; the budget bounds how much they multiply text.
func toJSON(text []byte) ([]byte, error) {
	if err := checkDocument(text); err != nil {
		return nil, err
	}
	v, err := parse(text)
	if err != nil {
		return nil, err
	}
	w := jsonWriter{buf: make([]byte, 0, len(text)), budget: 4*len(text) + 1<<20}
	if err := w.value(v, 0); err != nil {
		return nil, err
	}
	return w.buf, nil
}

// parse parses a document. goyaml leaves out, without a word, what follows the
// first value, and the first of two members with one name: what files look like
// that were joined without --- between them.
func parse(text []byte) (v any, err error) {
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.SetStrict(!bytes.Contains(text, []byte("<<"))) // which refuses to override what is merged in
	if err := dec.Decode(&v); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if err := dec.Decode(new(any)); err == nil {
		return nil, errors.New("a second value follows: put --- between two objects")
	} else if !errors.Is(err, io.EOF) {
		return nil, err
	}
	return v, nil
}

// yamlError takes the line, counted from 0, out of goyaml's message.
func yamlError(err error) (int, error) {
	if twice := twice.FindStringSubmatch(err.Error()); twice != nil {
		line, _ := strconv.Atoi(twice[1])
		if joined(err.Error()) {
			return line - 1, fmt.Errorf("%s is there twice: put --- between two objects", twice[2])
		}
		return line - 1, errTwice(twice[2])
	}
	m := failure.FindStringSubmatch(err.Error())
	if m == nil {
		return 0, err
	}
	line, _ := strconv.Atoi(m[1])
	if line > 0 && !parserError(m[2]) {
		line-- // the scanner counts from 1, the parser from 0
	}
	return line, fmt.Errorf("not valid YAML: %s", m[2])
}

// joined reports whether what is there twice is what every object has: two objects stand
// one behind the other.
func joined(message string) bool {
	return strings.Contains(message, `key "apiVersion" already set`) && strings.Contains(message, `key "kind" already set`)
}

var (
	failure = regexp.MustCompile(`(?s)^yaml: (?:line (\d+): )?(.*)$`)
	twice   = regexp.MustCompile(`^yaml: unmarshal errors:\s+line (\d+): key (.*) already set in map`)
)

// parserError tells goyaml's parser errors from its scanner's.
func parserError(message string) bool {
	for _, expected := range []string{"key", "'-' indicator", "',' or", "node content", "<document start>"} {
		if strings.HasPrefix(message, "did not find expected "+expected) {
			return true
		}
	}
	return false
}
