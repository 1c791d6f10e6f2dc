package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// session decides about the subjects, on one View after the other.
type session struct {
	*opened
	subjects []subject
	pick     pickFlags
	// creates is true when the what-if may bring the target into being.
	creates bool
	// change lays a what-if over the View for one target; nil for none.
	change func(r *view.Reader, v *view.View, p plugins.Plugin, t view.Target) (*view.View, []decision.Change, error)
}

// aim is a target with the plugin that decides it.
type aim struct {
	plugin plugins.Plugin
	view.Target
}

// decide loads what is needed and decides about every target. The Readers
// tell what was read for it.
func (s *session) decide(ctx context.Context) ([]*decision.Decision, *view.View, []*view.Reader, error) {
	var ds []*decision.Decision
	var readers []*view.Reader
	v, err := view.Settle(ctx, s.Source, func(v *view.View) ([]*view.Reader, error) {
		var err error
		ds, readers, err = s.round(v)
		return readers, err
	})
	return ds, v, readers, err
}

// round decides on one View. While something is missing its result is
// provisional, and so are its errors.
func (s *session) round(v *view.View) ([]*decision.Decision, []*view.Reader, error) {
	lister := v.Reader()
	readers := []*view.Reader{lister}
	aims, err := s.aims(lister)
	if err != nil {
		return nil, readers, err
	}
	var ds []*decision.Decision
	var failed []error
	for _, a := range aims {
		d, used, err := s.one(v, a)
		readers = append(readers, used...)
		if err != nil {
			failed = append(failed, s.suggest(lister, a, err))
			continue
		}
		ds = append(ds, d)
	}
	return ds, readers, errors.Join(failed...)
}

func (s *session) one(v *view.View, a aim) (*decision.Decision, []*view.Reader, error) {
	r := v.Reader()
	if s.files && !s.creates && !holds(v, a.Target) {
		return nil, nil, &view.NotFound{Target: a.Target}
	}
	if s.change == nil {
		d, err := a.plugin.Run(r, s.profile, a.Target, nil)
		return d, []*view.Reader{r}, err
	}
	changed, changes, err := s.change(r, v, a.plugin, a.Target)
	if err != nil {
		return nil, []*view.Reader{r}, err
	}
	over := changed.Reader()
	d, err := a.plugin.Run(over, s.profile, a.Target, changes)
	return d, []*view.Reader{r, over}, err
}

// holds tells whether files hold the target at all, in whatever detail.
func holds(v *view.View, t view.Target) bool {
	return slices.ContainsFunc(v.All(t.Kind), func(o metav1.Object) bool {
		return o.GetNamespace() == t.Namespace && o.GetName() == t.Name
	})
}

// aims resolves the subjects to targets.
func (s *session) aims(r *view.Reader) ([]aim, error) {
	var all []aim
	for _, sub := range s.subjects {
		if len(sub.names) == 0 {
			listed, err := s.list(r, sub)
			if err != nil {
				return nil, err
			}
			all = append(all, listed...)
			continue
		}
		for _, name := range sub.names {
			namespace, err := s.namespaceOf(r, sub.kind, name)
			if err != nil {
				return nil, err
			}
			all = append(all, aim{sub.plugin, view.Target{Kind: sub.kind, Namespace: namespace, Name: name}})
		}
	}
	return all, nil
}

// list finds all objects of a kind that --selector and the namespace leave.
func (s *session) list(r *view.Reader, sub subject) ([]aim, error) {
	sel, err := labels.Parse(s.pick.selector)
	if err != nil {
		return nil, usageError("--selector %q: %v", s.pick.selector, err)
	}
	need := view.Need{Kind: sub.kind, Namespace: s.namespace}
	if s.pick.allNamespaces {
		need.Namespace = ""
	}
	objs := view.List[metav1.Object](r, need, sel)
	if s.files {
		objs = matching(r.All(sub.kind), need.Namespace, sel)
	} else {
		need.Detail, need.Selector = view.Full, view.SelectorText(sel)
		if err := r.Err(need); err != nil {
			return nil, err
		}
	}
	var all []aim
	for _, o := range objs {
		all = append(all, aim{sub.plugin, view.Target{Kind: sub.kind, Namespace: o.GetNamespace(), Name: o.GetName()}})
	}
	return all, nil
}

// matching picks from what files hold.
func matching(objs []metav1.Object, namespace string, sel labels.Selector) []metav1.Object {
	var out []metav1.Object
	for _, o := range objs {
		if (namespace == "" || o.GetNamespace() == namespace) && sel.Matches(labels.Set(o.GetLabels())) {
			out = append(out, o)
		}
	}
	return out
}

// namespaceOf is the namespace asked for. Files hold what they hold: without
// --namespace, the name tells.
func (s *session) namespaceOf(r *view.Reader, k view.Kind, name string) (string, error) {
	if s.namespace != "" {
		return s.namespace, nil
	}
	var found []string
	for _, o := range r.All(k) {
		if o.GetName() == name {
			found = append(found, o.GetNamespace())
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", nil // run says that it is not there
	}
	return "", fmt.Errorf("%s %q is in the namespaces %v; pick one with --namespace", k.GroupResource(), name, found)
}

// suggest adds near names to a target that was not found.
func (s *session) suggest(r *view.Reader, a aim, err error) error {
	var absent *view.NotFound
	if !errors.As(err, &absent) {
		return err
	}
	objs := r.All(a.Kind)
	if a.Namespace != "" {
		objs = r.Metadata(view.Need{Kind: a.Kind, Namespace: a.Namespace, Without: "near names are not suggested"})
	}
	var names []string
	for _, o := range objs {
		names = append(names, o.GetName())
	}
	if near := nearest(a.Name, names); len(near) > 0 {
		return fmt.Errorf("%w; near names: %s", err, join(near))
	}
	if len(names) == 0 {
		return fmt.Errorf("%w, which holds no %s", err, a.Kind.Resource)
	}
	return fmt.Errorf("%w, which holds %d other %s", err, len(names), a.Kind.Resource)
}
