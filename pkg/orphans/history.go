package orphans

import (
	"cmp"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// defaultHistory is revisionHistoryLimit where nobody set it.
const defaultHistory = 10

// history is what a controller keeps of its revisions.
type history struct {
	limit int
	// current are the names of the revisions in use by the controller.
	current []string
	// newest says that the newest revision is the current one, which the
	// status of a DaemonSet does not name.
	newest bool
}

// expired judges a revision that its controller owns.
func (f *finder) expired(obj metav1.Object, ref *metav1.OwnerReference) (Finding, bool) {
	c := f.claimantsOf(view.ControllerRevisions).Of(ref.UID)
	if c == nil || !f.truncates(c, obj) {
		return Finding{}, true
	}
	return Finding{Group: LeftBehind, Ruling: decision.Ruled(BeyondHistory,
		decision.F(keyController, c.Ref.String()),
		decision.At(keyLimit, historyOf(c.Obj).limit, "spec.revisionHistoryLimit"))}, false
}

// truncates reports whether the next sync of a controller deletes one of its revisions.
func (f *finder) truncates(c *ownership.Controller, obj metav1.Object) bool {
	beyond, known := f.beyond[c.Ref.UID]
	if !known {
		if beyond = f.beyondLimit(c); len(beyond) > 0 {
			f.overfull = append(f.overfull, c.Ref)
		}
		f.beyond[c.Ref.UID] = beyond
	}
	return beyond[obj.GetName()]
}

// beyondLimit are the names of the revisions that a controller's next sync deletes: the
// oldest of those that nothing uses. The numbers of revisions are no metadata;
// they are read only where there are too many.
func (f *finder) beyondLimit(c *ownership.Controller) map[string]bool {
	h := historyOf(c.Obj)
	if h.unknown() || h.limit < 0 { // truncateHistory of stateful_set_control.go (v1.37.1) keeps all then
		return nil
	}
	need := view.Need{Kind: view.ControllerRevisions, Namespace: c.Ref.Namespace, IfMissing: "revisions beyond the history limit are not shown"}
	owned := f.r.ControlledBy(need, c.Obj.GetUID())
	if len(owned)+len(f.r.Orphans(need)) <= h.limit {
		return nil
	}
	revisions := f.numbered(need, c)
	if h.newest && len(revisions) > 0 {
		h.current = append(h.current, revisions[len(revisions)-1].Name)
	}
	used := f.used(c, h)
	return h.oldest(revisions, used)
}

// unknown tells that the controller has not said yet which revisions it uses.
func (h history) unknown() bool {
	return !h.newest && !slices.ContainsFunc(h.current, func(name string) bool { return name != "" })
}

func historyOf(obj metav1.Object) history {
	switch o := obj.(type) {
	case *appsv1.StatefulSet:
		return history{int(ptr.Deref(o.Spec.RevisionHistoryLimit, defaultHistory)), []string{o.Status.CurrentRevision, o.Status.UpdateRevision}, false}
	case *appsv1.DaemonSet:
		return history{int(ptr.Deref(o.Spec.RevisionHistoryLimit, defaultHistory)), nil, true}
	case *unstructured.Unstructured:
		h := history{limit: defaultHistory, newest: o.GetKind() == view.DaemonSets.Kind}
		if limit, set, _ := unstructured.NestedInt64(o.Object, "spec", "revisionHistoryLimit"); set {
			h.limit = int(limit)
		}
		current, _, _ := unstructured.NestedString(o.Object, "status", "currentRevision")
		update, _, _ := unstructured.NestedString(o.Object, "status", "updateRevision")
		h.current = []string{current, update}
		return h
	}
	return history{limit: defaultHistory}
}

// numbered lists the revisions that the controller claims, the oldest first: those that it
// will adopt are among them, and no others whose labels don't match (ListControllerRevisions
// of controller_history.go, controlledHistories of daemon/update.go, v1.37.1).
func (f *finder) numbered(need view.Need, c *ownership.Controller) []*appsv1.ControllerRevision {
	byOwner, known := f.revisions[need.Namespace]
	if !known {
		byOwner = map[types.UID][]*appsv1.ControllerRevision{}
		for _, rev := range view.List[*appsv1.ControllerRevision](f.r, need, nil) {
			owner := types.UID("") // none
			if ref := metav1.GetControllerOfNoCopy(rev); ref != nil {
				owner = ref.UID
			}
			byOwner[owner] = append(byOwner[owner], rev)
		}
		f.revisions[need.Namespace] = byOwner
	}
	var out []*appsv1.ControllerRevision
	for _, uid := range []types.UID{c.Obj.GetUID(), ""} {
		for _, rev := range byOwner[uid] {
			if is := c.Claim(rev, f.ended).Decision; is == decision.Owned || is == decision.ToAdopt {
				out = append(out, rev)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *appsv1.ControllerRevision) int { return cmp.Compare(a.Revision, b.Revision) })
	return out
}

// used lists the revisions in use: by the controller, and by its pods.
func (f *finder) used(c *ownership.Controller, h history) map[string]bool {
	used := map[string]bool{}
	for _, name := range h.current {
		used[name] = true
	}
	pods := view.Need{Kind: view.Pods, Namespace: c.Ref.Namespace, IfMissing: "which revisions Pods still use is not known"}
	for _, pod := range f.r.ControlledBy(pods, c.Obj.GetUID()) {
		used[pod.GetLabels()[appsv1.ControllerRevisionHashLabelKey]] = true
	}
	return used
}

// oldest picks the revisions that are too many. StatefulSets and CloneSets
// count those that nothing uses (truncateHistory of stateful_set_control.go and
// cloneset_controller.go), DaemonSets all old ones (cleanupHistory of update.go).
func (h history) oldest(revisions []*appsv1.ControllerRevision, used map[string]bool) map[string]bool {
	var idle []string
	for _, rev := range revisions {
		if !isUsed(rev, used) {
			idle = append(idle, rev.Name)
		}
	}
	tooMany := len(idle) - h.limit
	if h.newest {
		tooMany = len(revisions) - 1 - h.limit
	}
	oldest := map[string]bool{}
	for _, name := range idle[:max(0, min(tooMany, len(idle)))] {
		oldest[name] = true
	}
	return oldest
}

// isUsed compares a revision with names and hashes: pods carry either.
func isUsed(rev *appsv1.ControllerRevision, used map[string]bool) bool {
	hash := rev.Name[strings.LastIndex(rev.Name, "-")+1:]
	return used[rev.Name] || used[hash]
}
