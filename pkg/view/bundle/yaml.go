package bundle

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	yaml "go.yaml.in/yaml/v2"
)

// yamlValues parses a document of YAML. When no object comes out of it, it may
// be something else altogether.
func (d document) yamlValues() ([]value, error) {
	values, err := d.parseYAML()
	if err != nil || values[0].Kind == "" {
		if err := mistaken(d.text); err != nil {
			return nil, d.at(d.line, err)
		}
	}
	return values, err
}

// parseYAML parses a document item by item when it is laid out as kubectl lays
// out lists, else as a whole.
func (d document) parseYAML() ([]value, error) {
	if list, ok := d.splitList(); ok {
		return []value{list}, nil
	}
	raw, err := toJSON(d.text)
	if err != nil {
		line, err := yamlError(err)
		return nil, d.at(d.line+line, err)
	}
	values, _, err := jsonValues(raw, d.firstLine())
	return values, err
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
	var v any
	if err := yaml.Unmarshal(text, &v); err != nil {
		return nil, err
	}
	w := jsonWriter{buf: make([]byte, 0, len(text)), budget: 4*len(text) + 1<<20}
	if err := w.value(v, 0); err != nil {
		return nil, err
	}
	return w.buf, nil
}

// yamlError takes the line, counted from 0, out of goyaml's message.
func yamlError(err error) (int, error) {
	m := regexp.MustCompile(`(?s)^yaml: (?:line (\d+): )?(.*)$`).FindStringSubmatch(err.Error())
	if m == nil {
		return 0, err
	}
	line, _ := strconv.Atoi(m[1])
	if line > 0 && !parserError(m[2]) {
		line-- // the scanner counts from 1, the parser from 0
	}
	return line, fmt.Errorf("not valid YAML: %s", m[2])
}

// parserError tells goyaml's parser errors from its scanner's.
func parserError(message string) bool {
	for _, expected := range []string{"key", "'-' indicator", "',' or", "node content", "<document start>"} {
		if strings.HasPrefix(message, "did not find expected "+expected) {
			return true
		}
	}
	return false
}
