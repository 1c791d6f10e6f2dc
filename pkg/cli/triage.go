package cli

import (
	"errors"
	"fmt"
	"io"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// everyKind are subjects of all modelled kinds. A server may serve none of some.
func (p parser) everyKind() ([]subject, error) {
	var all []subject
	for _, k := range p.controllers.Kinds() {
		s, err := p.subjectOf(k.Resource, "")
		if err != nil {
			return nil, err
		}
		s.ifServed = true
		all = append(all, s)
	}
	return all, nil
}

// triages reports whether explain is asked without a type: which workloads of a
// namespace, or of all, are stuck?
func (f *explainFlags) triages(args []string) bool {
	return len(args) == 0 && (f.allNamespaces || *f.config.Namespace != "")
}

// triaged are the targets of a triage: those that another one controls are in its row.
// A kind that can't be listed hides no other.
func (s *session) triaged(r *view.Reader) (aims []aim, failed failures) {
	var all []aim
	s.unheld = nil
	owner := map[types.UID]types.UID{}
	for _, sub := range s.subjects {
		found, err := s.aimsOf(r, sub)
		if err != nil {
			failed = append(failed, err)
		}
		if s.files && sub.kind.Typed() && len(r.AllMetadata(sub.kind)) == 0 && errors.As(r.Err(view.Need{Kind: sub.kind}), new(*view.NotInInput)) {
			s.unheld = append(s.unheld, sub.kind.GroupResource())
		}
		for _, a := range found {
			if a.uid != "" { // as in a file
				owner[a.uid] = a.owner
			}
		}
		all = append(all, found...)
	}
	inRow := rooted(owner)
	for _, a := range all {
		if !inRow(a.owner) {
			aims = append(aims, a)
		}
	}
	return aims, failed
}

// rooted reports of objects with their controllers whether what one of them controls is
// in a row: its own, or that of the last in the chain of controllers. Nothing is where
// they control each other in a circle.
func rooted(owner map[types.UID]types.UID) func(controller types.UID) bool {
	ends := map[types.UID]bool{} // whether the chain of controllers ends
	return func(uid types.UID) bool {
		var chain []types.UID
		for {
			end, known := ends[uid]
			up, among := owner[uid]
			switch {
			case !known && among:
				ends[uid] = false // until it is seen to end
				chain, uid = append(chain, uid), up
				continue
			case !known:
				end = len(chain) > 0
			}
			for _, u := range chain {
				ends[u] = end
			}
			return end
		}
	}
}

// controllerOf is the UID of the controller of an object, empty for none.
func controllerOf(obj metav1.Object) types.UID {
	if ref := metav1.GetControllerOfNoCopy(obj); ref != nil {
		return ref.UID
	}
	return ""
}

// scope is what a triage is about: a namespace, or all.
func (s *session) scope() string {
	if s.pick.allNamespaces {
		return "all namespaces"
	}
	return s.namespace
}

// humanTriage prints a triage.
func (s *session) humanTriage(o render.Options) printer {
	return func(w io.Writer, ds []*decision.Decision) error {
		if len(ds) == 0 {
			return nil
		}
		if err := render.Triage(w, ds, s.scope(), s.pick.allNamespaces, o); err != nil || o.NoHeaders {
			return err
		}
		unheld := ""
		if len(s.unheld) > 0 {
			unheld = "The input holds no " + join(s.unheld) + ".\n"
		}
		_, err := fmt.Fprintf(w, "\n%s\n%s", s.unlooked(), unheld)
		return err
	}
}

// unlooked says which workloads that every cluster has a triage does not look at.
func (s *session) unlooked() string {
	var kinds []string
	for _, k := range (parser{s.controllers}).unmodelled(builtIn) {
		kinds = append(kinds, k.Kind+"s")
	}
	return "Not looked at: " + join(kinds) + ", and Pods without a workload."
}
