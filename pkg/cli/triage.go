package cli

import (
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
		s, err := p.subjectOf(k.Resource)
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
	listed := map[types.UID]bool{}
	for _, sub := range s.subjects {
		found, err := s.aimsOf(r, sub)
		if err != nil {
			failed = append(failed, err)
		}
		for _, a := range found {
			listed[a.uid] = true
		}
		all = append(all, found...)
	}
	for _, a := range all {
		if a.owner == "" || !listed[a.owner] {
			aims = append(aims, a)
		}
	}
	return aims, failed
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
		return render.Triage(w, ds, s.scope(), s.pick.allNamespaces, o)
	}
}
