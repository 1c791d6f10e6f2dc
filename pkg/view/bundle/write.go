package bundle

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/redact"
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
	// Server is what Source.Version will return; ToolVersion names the
	// writer.
	Server      view.ServerVersion
	ToolVersion string
	// Unredacted keeps what package redact replaces, managedFields, and the
	// annotation of kubectl apply. Keep names what stays without it.
	Unredacted bool
	Keep       redact.Keep
}

// Write writes what reads cover of v, so that Open gives a View which returns
// the same objects and the same failures to the same needs.
func Write(w io.Writer, v *view.View, reads []view.Read, o WriteOptions) error {
	out := bufio.NewWriter(w)
	docs, err := newEmitter(out, o.Format)
	if err != nil {
		return err
	}
	all := pick(v, reads)
	header := newHeader(v, reads, o)
	header.Objects = new(len(all))
	err = docs.put(header)
	redactor := redact.New(o.Keep)
	for _, p := range all {
		if err != nil {
			break
		}
		var doc map[string]any
		if doc, err = p.document(redactor, o); err != nil {
			return fmt.Errorf("cannot write %s: %w", p.ref(), err)
		}
		err = docs.put(doc)
	}
	if err == nil {
		err = docs.end()
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return fmt.Errorf("cannot write bundle: %w", err)
	}
	return nil
}

// document is the object as it stands in a bundle: redacted, with its type,
// and with more than metadata only when it is whole.
func (p picked) document(redactor *redact.Redactor, o WriteOptions) (map[string]any, error) {
	members, err := dataOf(view.Decoded(p.obj), o.Unredacted)
	if err != nil {
		return nil, err
	}
	if !o.Unredacted {
		shareable(redactor, members)
	}
	if p.metadataOnly() {
		members = map[string]any{"metadata": members["metadata"]}
	} else if len(without(members, "apiVersion", "kind", "metadata")) == 0 {
		members["spec"] = map[string]any{} // alone, metadata would mean that no more was read
	}
	if p.kind.Typed() || members["apiVersion"] == nil { // others in whichever version they came
		members["apiVersion"], members["kind"] = p.kind.GroupVersion().String(), p.kind.Kind
	}
	return members, shallow(members, 0)
}

// shallow is the error of a value that no bundle could be read back with.
func shallow(v any, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("values are nested deeper than %d: name the objects to write, without this one", maxDepth)
	}
	switch v := v.(type) {
	case map[string]any:
		for _, member := range v {
			if err := shallow(member, depth+1); err != nil {
				return err
			}
		}
	case []any:
		for _, item := range v {
			if err := shallow(item, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
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
