package render

import (
	"fmt"
	"io"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// Named are objects of which the names are asked for, in one context of several, empty
// where one alone is asked.
type Named struct {
	Context string
	Objects []decision.Ref
}

// Names writes objects in the form of kubectl's -o name, a line each, and each once.
func Names(w io.Writer, all ...Named) error {
	type line struct{ context, namespace, name string }
	written := map[line]bool{}
	for _, named := range all {
		for _, o := range named.Objects {
			l := line{named.Context, o.Namespace, o.Printed()}
			if written[l] {
				continue
			}
			written[l] = true
			text := clean(l.name)
			if l.context != "" {
				text = clean(l.context) + " " + text
			}
			if _, err := fmt.Fprintln(w, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// Touched are the objects that an action would touch, certainly or possibly; of a
// Decision with a Timeline, in any round. Pods to be created have no name yet.
func Touched(ds ...*decision.Decision) (objects []decision.Ref) {
	for _, d := range ds {
		created := map[string]bool{}
		for _, a := range d.AllActions() {
			name := a.Object.Qualified()
			if a.Verb == decision.Create {
				created[name] = true
			}
			if !created[name] {
				objects = append(objects, a.Object)
			}
		}
	}
	return objects
}

// Targets are the objects that Decisions are about.
func Targets(ds ...*decision.Decision) (objects []decision.Ref) {
	for _, d := range ds {
		objects = append(objects, d.Target)
	}
	return objects
}
