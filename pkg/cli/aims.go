package cli

import (
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// aim is a target with the controller that decides it.
type aim struct {
	controller controller.Controller
	view.Target
	// uid and owner are of the object and of its controller, where it was listed.
	uid, owner types.UID
	// demands are what other objects of the manifests create in its namespace.
	demands []view.Demand
}

// aims resolves the subjects to targets, each once.
func (s *session) aims(r *view.Reader) ([]aim, error) {
	var all []aim
	for _, sub := range s.subjects {
		found, err := s.aimsOf(r, sub)
		if err != nil {
			return nil, err
		}
		for _, a := range found {
			if !slices.ContainsFunc(all, func(b aim) bool { return a.same(b.Target) }) {
				all = append(all, a)
			}
		}
	}
	return all, nil
}

func (a aim) same(t view.Target) bool { return sameTarget(a.Target, t) }

//go:noinline
func sameTarget(a, b view.Target) bool {
	return a.Kind.GroupKind() == b.Kind.GroupKind() && a.Namespace == b.Namespace && a.Name == b.Name
}

func (s *session) aimsOf(r *view.Reader, sub subject) ([]aim, error) {
	if len(sub.names) == 0 {
		return s.list(r, sub)
	}
	var all []aim
	for _, name := range sub.names {
		namespace, err := s.namespaceOf(r, sub, name)
		if err != nil {
			return nil, err
		}
		all = append(all, aim{controller: sub.controller, Target: view.Target{Kind: sub.kind, Namespace: namespace, Name: name}})
	}
	return all, nil
}

// list finds all objects of a kind that --selector and the namespace leave.
func (s *session) list(r *view.Reader, sub subject) ([]aim, error) {
	sel, err := s.pick.labels()
	if err != nil {
		return nil, err
	}
	need := view.Need{Kind: sub.kind, Namespace: s.namespace}
	if s.pick.allNamespaces {
		need.Namespace = ""
	}
	objs := view.List[metav1.Object](r, need, sel)
	need.Detail, need.Selector = view.Full, view.SelectorText(sel)
	if s.files {
		objs = matching(r.AllMetadata(sub.kind), need.Namespace, sel)
		need.Selector = "" // they hold what they were captured for
	}
	if err := r.Err(need); err != nil && !s.suffice(sub, len(objs), err) {
		return nil, unserved(sub.controller, err)
	}
	byField, err := s.pick.byField()
	if err != nil {
		return nil, err
	}
	var all []aim
	for _, o := range objs {
		if !byField.Matches(fields.Set{"metadata.name": o.GetName(), "metadata.namespace": o.GetNamespace()}) {
			continue
		}
		all = append(all, aim{
			controller: sub.controller, Target: view.Target{Kind: sub.kind, Namespace: o.GetNamespace(), Name: o.GetName()},
			uid: o.GetUID(), owner: controllerOf(o),
		})
	}
	return all, nil
}

// suffice reports whether the n objects of a kind that were found are an answer, though it
// could not be listed: it is not served, or was not captured.
func (s *session) suffice(sub subject, n int, err error) bool {
	if !s.files || !errors.As(err, new(*view.NotInInput)) {
		return sub.ifServed && (apierrors.IsNotFound(err) || apierrors.IsForbidden(err) && s.server != nil && !installed(s.config, false)(sub.kind))
	}
	return n > 0 || sub.ifServed || !view.NotCaptured(err)
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
func (s *session) namespaceOf(r *view.Reader, sub subject, name string) (string, error) {
	switch {
	case sub.namespace != "":
		return sub.namespace, nil
	case s.namespace != "":
		return s.namespace, nil
	}
	var found []string
	for _, o := range r.AllMetadata(sub.kind) {
		if o.GetName() == name {
			found = append(found, o.GetNamespace())
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", nil // check says that it is not there
	}
	return "", fmt.Errorf("%s %q is in the namespaces %s: pick one with --namespace", sub.kind.GroupResource(), name, join(found))
}
