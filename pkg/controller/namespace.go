package controller

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// emptied is the cause that the namespace of a target is being deleted, and the target with
// it, nil where it is not (syncNamespace and deleteAllContent,
// pkg/controller/namespace/deletion/namespaced_resources_deleter.go, v1.37.1). It is none
// where a cause says so already, of creations that are refused. The namespace is read for one
// target that is looked at closely, or changed; of many it is not worth a read each.
func emptied(r *view.Reader, t Target, causes []decision.Cause) *decision.Cause {
	if t.Namespace == "" || slices.ContainsFunc(causes, func(c decision.Cause) bool { return c.Object.Kind == view.Namespaces.Kind }) {
		return nil
	}
	if r.Closely() || r.WhatIf() {
		need := admission.Itself(t.Namespace)
		need.Explains, need.Extra = true, true
		_, _ = view.Get[*corev1.Namespace](r, need)
	}
	ns, held := r.Held(view.Namespaces, "", t.Namespace)
	if !held || ns.GetDeletionTimestamp() == nil {
		return nil
	}
	return &decision.Cause{
		Object: ownership.RefTo(view.Namespaces, ns), Reason: string(health.NamespaceGone), Since: ns.GetDeletionTimestamp().UTC(),
		Label:   fmt.Sprintf("namespace %s is being deleted, and all that is in it", t.Namespace),
		Briefs:  []string{"its namespace is being deleted"},
		Message: "the namespace controller deletes all objects in it, and no object is created in it", Evidence: "metadata.deletionTimestamp",
		Next: fmt.Sprintf("kubectl get namespace %s -o yaml", t.Namespace),
	}
}
