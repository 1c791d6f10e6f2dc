package bundle

import (
	"bufio"
	"encoding/json"
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/blockyaml"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/sanitize"
)

// emitter writes documents one by one, so that no more than one is in memory.
type emitter interface {
	put(doc any) error
	end() error
}

func newEmitter(w *bufio.Writer, format Format) (emitter, error) {
	switch format {
	case YAML, "":
		return &yamlStream{w: w, yaml: blockyaml.NewEncoder()}, nil
	case JSON:
		return &jsonList{w: w, before: "{\n  \"kind\": \"List\",\n  \"apiVersion\": \"v1\",\n  \"items\": [\n    "}, nil
	}
	return nil, fmt.Errorf("bundle format is %q, expected yaml or json", format)
}

// yamlStream is a stream of documents.
type yamlStream struct {
	w     *bufio.Writer
	yaml  *blockyaml.Encoder
	begun bool
}

func (s *yamlStream) put(doc any) error {
	text, err := s.text(doc)
	if err != nil {
		return err
	}
	if s.begun {
		_, _ = s.w.WriteString("---\n") // the writer keeps its first error
	}
	s.begun = true
	_, err = s.w.Write(text)
	return err
}

// text is an object as YAML. The header is a struct.
func (s *yamlStream) text(doc any) ([]byte, error) {
	if obj, ok := doc.(map[string]any); ok {
		return s.yaml.Encode(obj)
	}
	return blockyaml.Marshal(doc)
}

func (s *yamlStream) end() error { return nil }

// jsonList is one List, indented as kubectl does.
type jsonList struct {
	w      *bufio.Writer
	before string // the next item
}

func (l *jsonList) put(doc any) error {
	text, err := json.MarshalIndent(doc, "    ", "  ")
	if err != nil {
		return err
	}
	_, _ = l.w.WriteString(l.before) // the writer keeps its first error
	l.before = ",\n    "
	_, err = l.w.WriteString(sanitize.EscapedJSON(string(text), "\n"))
	return err
}

func (l *jsonList) end() error {
	_, err := l.w.WriteString("\n  ]\n}\n")
	return err
}
