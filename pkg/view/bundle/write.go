package bundle

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/harmless"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Format is how a bundle is written.
type Format string

// YAML, which is the default, is a stream of documents; JSON is one List.
const (
	YAML Format = "yaml"
	JSON Format = "json"
)

// WriteOptions changes what Write writes.
type WriteOptions struct {
	Format Format
	// ServerVersion is what Source.Version will return; ToolVersion names the
	// writer.
	ServerVersion, ToolVersion string
	// Unredacted keeps the values of environment variables, managedFields, and
	// the annotation of kubectl apply, all of which no decision reads.
	Unredacted bool
}

// Write writes what reads cover of v, so that Open gives a View which returns
// the same objects and the same failures to the same needs.
func Write(w io.Writer, v *view.View, reads []view.Read, o WriteOptions) error {
	docs := []any{newHeader(v, reads, o)}
	for _, picked := range pick(v, reads) {
		doc, err := picked.document(o)
		if err != nil {
			return fmt.Errorf("cannot write %s: %w", picked.ref(), err)
		}
		docs = append(docs, doc)
	}
	return emit(w, docs, o.Format)
}

func emit(w io.Writer, docs []any, format Format) error {
	out := bufio.NewWriter(w)
	var err error
	switch format {
	case YAML, "":
		err = emitYAML(out, docs)
	case JSON:
		err = emitJSON(out, docs)
	default:
		return fmt.Errorf("bundle format is %q, expected yaml or json", format)
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return fmt.Errorf("cannot write bundle: %w", err)
	}
	return nil
}

func emitYAML(w *bufio.Writer, docs []any) error {
	for i, doc := range docs {
		text, err := yamlText(doc)
		if err != nil {
			return err
		}
		if i > 0 {
			text = append([]byte("---\n"), text...)
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
	return nil
}

// yamlText is a document of YAML. YAML has no characters for some controls, and
// none of its plain styles escapes what could drive a terminal: documents that
// hold such are JSON, which is YAML too.
func yamlText(doc any) ([]byte, error) {
	text, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return nil, err
	}
	if safe := harmless.Escaped(string(text), "\n"); safe != string(text) {
		return []byte(safe + "\n"), nil
	}
	return yaml.Marshal(doc)
}

func emitJSON(w *bufio.Writer, docs []any) error {
	list := struct {
		metav1.TypeMeta `json:",inline"`
		Items           []any `json:"items"`
	}{metav1.TypeMeta{APIVersion: "v1", Kind: "List"}, docs}
	text, err := json.MarshalIndent(list, "", "  ")
	if err == nil {
		_, err = w.WriteString(harmless.Escaped(string(text), "\n") + "\n")
	}
	return err
}

// document is the object as it stands in a bundle: redacted, with its type,
// and with more than metadata only when it is whole.
func (p picked) document(o WriteOptions) (map[string]any, error) {
	obj := p.obj
	if !o.Unredacted {
		obj = p.redactor.redact(obj)
	}
	members, err := membersOf(obj)
	if err != nil {
		return nil, err
	}
	if p.metadataOnly() {
		members = map[string]any{"metadata": members["metadata"]}
	} else if len(without(members, "apiVersion", "kind", "metadata")) == 0 {
		members["spec"] = map[string]any{} // alone, metadata would mean that no more was read
	}
	if !p.kind.Typed() && members["apiVersion"] != nil {
		return members, nil // in whichever version it came
	}
	members["apiVersion"], members["kind"] = p.kind.GroupVersion().String(), p.kind.Kind
	return members, nil
}

// membersOf keeps each member as the API's own JSON.
func membersOf(obj metav1.Object) (map[string]any, error) {
	text, err := json.Marshal(obj)
	if err != nil {
		return nil, err
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return nil, err
	}
	members := make(map[string]any, len(raw))
	for name, member := range raw {
		members[name] = member
	}
	return members, nil
}

func without(members map[string]any, names ...string) []string {
	var rest []string
	for name := range members {
		if !slices.Contains(names, name) {
			rest = append(rest, name)
		}
	}
	return rest
}
