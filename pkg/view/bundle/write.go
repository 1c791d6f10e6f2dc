package bundle

import (
	"bufio"
	"fmt"
	"io"
	"iter"
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
	for p, made := range withData(all, o.Unredacted) {
		if err != nil {
			break
		}
		doc, failed := p.document(made, redactor, o)
		if failed != nil {
			return fmt.Errorf("cannot write %s: %w", p.ref(), failed)
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

// data is an object as JSON data, or why it can't be.
type data struct {
	members map[string]any
	err     error
}

// aheadOfWriting is of how many objects the data is made before they are written.
const aheadOfWriting = 64

// withData are the objects with their data, which is made while those before are written.
func withData(all []picked, managed bool) iter.Seq2[picked, data] {
	return func(yield func(picked, data) bool) {
		made, ended := make(chan data, aheadOfWriting), make(chan struct{})
		defer close(ended)
		go func() {
			for _, p := range all {
				members, err := dataOf(view.Decoded(p.obj), managed)
				select {
				case made <- data{members, err}:
				case <-ended:
					return
				}
			}
		}()
		for _, p := range all {
			if !yield(p, <-made) {
				return
			}
		}
	}
}

// document is the object as it stands in a bundle: redacted, with its type,
// and with more than metadata only when it is whole.
func (p picked) document(made data, redactor *redact.Redactor, o WriteOptions) (map[string]any, error) {
	members := made.members
	if made.err != nil {
		return nil, made.err
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
