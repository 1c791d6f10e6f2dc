package health

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Deleted is the assessment of a target that is itself being deleted. remaining are why
// its dependents are still there: with the finalizer of a foreground deletion it is
// removed after them (garbagecollector.go processDeletingDependentsItem, v1.37.1).
func Deleted(target decision.Ref, obj metav1.Object, remaining []decision.Cause) Assessment {
	held := obj.GetFinalizers()
	if i := slices.Index(held, metav1.FinalizerDeleteDependents); lineage.DeletesDependents(obj) && len(remaining) > 0 {
		if held = slices.Delete(slices.Clone(held), i, i+1); len(held) == 0 {
			return Assessment{Deleting: true, Causes: remaining}
		}
	} else {
		remaining = nil
	}
	return Assessment{Deleting: true, Causes: append(remaining, deletion(target, obj, held))}
}

// Orphaning reports whether an object is being deleted and its dependents stay, see lineage.
func Orphaning(o metav1.Object) bool { return lineage.Orphaning(o) }

// DeletesDependents reports whether an object is being deleted in the foreground, see lineage.
func DeletesDependents(o metav1.Object) bool { return lineage.DeletesDependents(o) }

// Finalizers says what keeps an object that is being deleted. That it orphans its dependents
// is the garbage collector's (garbagecollector.go orphanDependents, v1.37.1).
func Finalizers(held []string) string {
	text := "finalizers: " + format.Some(held, len(held))
	if slices.Contains(held, metav1.FinalizerOrphanDependents) {
		text += "; the garbage collector orphans its dependents, which stay, and takes out " + metav1.FinalizerOrphanDependents
	}
	return text
}

// deletion is the cause that the target itself is not removed yet.
func deletion(target decision.Ref, obj metav1.Object, held []string) decision.Cause {
	c := decision.Cause{
		Object: target, Reason: "Terminating", Label: "waits for the garbage collector", Since: obj.GetDeletionTimestamp().Time,
		Message: "its dependents are deleted first, or it is removed at once", Evidence: "metadata.deletionTimestamp",
		Next: describe(strings.ToLower(target.Kind), target.Namespace, target.Name),
	}
	if grace := obj.GetDeletionGracePeriodSeconds(); grace != nil {
		c.Since = c.Since.Add(-time.Duration(*grace) * time.Second)
	}
	if len(held) > 0 {
		c.Label, c.Evidence = "held by "+format.Some(held, len(held)), "metadata.finalizers"
		c.Message = Finalizers(held)
		c.Next = Whole(strings.ToLower(target.Kind), target.Namespace, target.Name)
	}
	return c
}

// Remaining returns why Pods are still there whose owner is removed after them, those
// first that are being deleted. It leaves out those that another owner keeps.
func Remaining(r *view.Reader, pods []*corev1.Pod, o Options) []decision.Cause {
	var going, rest []decision.Cause
	o.node = nodes(r)
	owners := lineage.NewChecker(r)
	for _, p := range pods {
		c := decision.Cause{
			Object: refOf(p), Reason: "NotDeleted", Label: "not deleted yet", Evidence: "metadata.deletionTimestamp",
			Message: "the garbage collector deletes it", Pod: ColumnsOf(p),
		}
		if p.DeletionTimestamp != nil {
			c, _ = Pod(p, nil, o)
			going = append(going, c)
			continue
		}
		if kept(owners.Links(p)) {
			continue
		}
		c.Next = describe("pod", p.Namespace, p.Name)
		rest = append(rest, c)
	}
	Sort(going)
	return append(going, rest...)
}

// kept reports whether an owner besides the controller keeps an object: the garbage
// collector takes out the reference to the one that waits for it, and deletes nothing
// (garbagecollector.go attemptToDeleteItem, v1.37.1).
func kept(owners []lineage.Link) bool {
	return slices.ContainsFunc(owners, func(l lineage.Link) bool { return l.State == lineage.Solid && !l.Controller })
}
