package health

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// users names, in brackets, what takes most of a resource that a quota has too little of, and how
// much the Creator's own Pods take; empty where they take most, and where not all Pods of the
// namespace are known, as none is read for it.
func (c Creator) users(r *view.Reader, short *admission.Shortfall, now time.Time) string {
	need := view.Need{Kind: view.Pods, Namespace: short.Quota.Namespace, Detail: view.Full, IfMissing: "what takes most of a quota is not known", Explains: true}
	if r.Brief() || !r.Knows(need) {
		return ""
	}
	pods := map[string][]*corev1.Pod{}
	for _, p := range view.List[*corev1.Pod](r, need, nil) {
		of := ownerOf(r, view.Pods.Kind, p)
		pods[of] = append(pods[of], p)
	}
	own := ownerOf(r, c.Kind.Kind, c.Object)
	takes := admission.Use(short.Quota, short.Resource, pods[own], c.Features, now)
	most, who := takes, own
	for _, of := range slices.Sorted(maps.Keys(pods)) {
		if use := admission.Use(short.Quota, short.Resource, pods[of], c.Features, now); use.Cmp(most) > 0 {
			most, who = use, of
		}
	}
	switch {
	case who == own:
		return ""
	case takes.IsZero():
		return fmt.Sprintf(" (%s %s)", who, most.String())
	}
	return fmt.Sprintf(" (%s %s, %s %s)", who, most.String(), own, takes.String())
}

// ownerOf is the last of the controllers above an object of which it is known, as TYPE/NAME: the
// object itself where it has none.
func ownerOf(r *view.Reader, kind string, obj metav1.Object) string {
	name, above := obj.GetName(), metav1.GetControllerOf(obj)
	for above != nil {
		kind, name = above.Kind, above.Name
		k, err := lineage.Held(above.APIVersion, kind)
		if err != nil {
			break
		}
		owner, held := r.Held(k, obj.GetNamespace(), name)
		if !held || owner.GetUID() != above.UID {
			break
		}
		above = metav1.GetControllerOf(owner)
	}
	return strings.ToLower(kind) + "/" + name
}
