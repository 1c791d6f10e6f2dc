// Package schema holds what the program prints to docs/schema.json.
package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// group begins the apiVersion of the program's own documents.
const group = "kubectl-ctrl"

// Document is what was printed, by name.
type Document struct {
	Name string
	JSON []byte
}

// Of returns the documents among what was printed as JSON or YAML: one, a stream of them,
// or none where it is something else, such as text or a bundle.
func Of(name string, printed []byte) ([]Document, error) {
	if bytes.HasPrefix(printed, []byte("apiVersion: "+group)) {
		var err error
		if printed, err = yaml.YAMLToJSON(printed); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if !bytes.HasPrefix(printed, []byte("{")) {
		return nil, nil
	}
	var all []Document
	for stream := json.NewDecoder(bytes.NewReader(printed)); ; {
		var text json.RawMessage
		if err := stream.Decode(&text); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if ours(text) {
			all = append(all, Document{name, text})
		}
	}
}

// ours reports whether a text is a document of an answer. A bundle has a form of its own.
func ours(text []byte) bool {
	var doc struct{ APIVersion, Kind string }
	return json.Unmarshal(text, &doc) == nil && strings.HasPrefix(doc.APIVersion, group) && doc.Kind != "Bundle"
}

// Check fails for every document that docs/schema.json does not describe.
func Check(t testing.TB, all []Document) {
	t.Helper()
	if len(all) == 0 {
		return
	}
	if wrong, err := Validate(all); err != nil {
		t.Error(err)
	} else if wrong != "" {
		t.Errorf("not as docs/schema.json says (run make docs if the types have changed):\n%s", wrong)
	}
}

// Validate says what is wrong with documents, empty for nothing.
func Validate(all []Document) (wrong string, err error) {
	var in bytes.Buffer
	for _, d := range all {
		in.WriteString(strings.NewReplacer("\t", " ", "\n", " ").Replace(d.Name) + "\t")
		if err := json.Compact(&in, d.JSON); err != nil {
			return "", fmt.Errorf("%s: %w", d.Name, err)
		}
		in.WriteByte('\n')
	}
	dir, err := root()
	if err != nil {
		return "", err
	}
	cmd := exec.Command("go", "run", ".", filepath.Join(dir, "docs", "schema.json"))
	cmd.Dir, cmd.Stdin = filepath.Join(dir, "test", "schema", "validator"), &in
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if status := (*exec.ExitError)(nil); errors.As(err, &status) && len(out) > 0 {
		return string(out), nil
	} else if err != nil {
		return "", fmt.Errorf("%w: %s", err, errs.String())
	}
	return "", nil
}

// root is the folder above the working directory that holds the schema.
func root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "docs", "schema.json")); err == nil {
			return dir, nil
		}
	}
	return "", errors.New("docs/schema.json: not found above the working directory")
}
