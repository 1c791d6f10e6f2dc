package trace

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Absent is the error for a target that was named and that the first lists do not hold, where
// they hold none of those that were: as kubectl get --watch, a trace does not wait for an
// object of a name.
type Absent struct {
	view.Target
	// Others are the names of what they hold of its kind in its namespace, sorted.
	Others []string
}

func (e *Absent) Error() string { return e.Unwrap().Error() }

// Unwrap returns a *view.NotFound.
func (e *Absent) Unwrap() error { return &view.NotFound{Target: e.Target} }

// Named lists the targets that are picked by name, of kinds.
func (p Pick) Named(kinds []view.Kind) []view.Target {
	var all []view.Target
	for _, text := range p.Names {
		resource, name, _ := strings.Cut(text, "/")
		if i := slices.IndexFunc(kinds, func(k view.Kind) bool { return k.Resource == resource }); i >= 0 {
			all = append(all, view.Target{Kind: kinds[i], Namespace: p.Namespace, Name: name})
		}
	}
	return all
}

// noNamespace is the error of a namespace that is read, is not there, and holds nothing.
func (e *Engine) noNamespace() error {
	name := e.o.Namespace
	if name == "" || !e.cluster.follows(view.Namespaces) || e.cluster.unreadable(admission.Itself(name)) != nil {
		return nil
	}
	if _, there := e.cluster.Get(view.Namespaces, "", name); there || e.cluster.holds(name) {
		return nil
	}
	return fmt.Errorf("namespace %q not found; list all with: kubectl get namespaces", name)
}

// nothingNamed is an *Absent for each named target, joined, where none is there.
func (e *Engine) nothingNamed() error {
	absent := e.absent()
	if len(absent) < len(e.o.Named) {
		return nil
	}
	var all []error
	for _, missing := range absent {
		all = append(all, missing)
	}
	return errors.Join(all...)
}

// absent are the named targets that are not there.
func (e *Engine) absent() (all []*Absent) {
	for _, t := range e.o.Named {
		if _, there := e.cluster.Get(t.Kind, t.Namespace, t.Name); there {
			continue
		}
		missing := &Absent{Target: t}
		for _, obj := range e.cluster.In(t.Kind, t.Namespace) {
			missing.Others = append(missing.Others, obj.GetName())
		}
		slices.Sort(missing.Others)
		all = append(all, missing)
	}
	return all
}
