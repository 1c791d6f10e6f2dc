package statefulset

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/statefulset/volume"
)

// target is the StatefulSet that a sync is about, with what the sync goes by. Its methods
// read, and change nothing.
type target struct {
	r         *view.Reader
	profile   profile.Profile
	behaviour behaviour
	now       time.Time
	set       *appsv1.StatefulSet
	ref       decision.Ref
	// selector is nil where that of the spec is invalid.
	selector labels.Selector
}

// ordered reports whether Pods are created and deleted one after the other (!allowsBurst
// of stateful_set_utils.go, v1.37.1).
//
//go:noinline
func (t *target) ordered() bool {
	return t.set.Spec.PodManagementPolicy != appsv1.ParallelPodManagement
}

//go:noinline
func (t *target) onDelete() bool {
	return t.set.Spec.UpdateStrategy.Type == appsv1.OnDeleteStatefulSetStrategyType
}

//go:noinline // it is called at many places
func (t *target) isRecreate() bool {
	return t.set.Spec.UpdateStrategy.Type == recreateStrategy
}

// first mirrors getStartOrdinal (stateful_set_utils.go, v1.37.1).
//
//go:noinline
func (t *target) first() int {
	if t.set.Spec.Ordinals == nil || !t.behaviour.start {
		return 0
	}
	return int(t.set.Spec.Ordinals.Start)
}

// lastOrdinal is the last one that is desired.
//
//go:noinline // a call is shorter than what it does
func (t *target) lastOrdinal() int {
	return t.first() + int(*t.set.Spec.Replicas) - 1
}

// beyond reports whether an ordinal is none of those that are desired.
func (t *target) beyond(ordinal int) bool {
	return ordinal < t.first() || ordinal > t.lastOrdinal()
}

// endsAtMissing reports whether the first Pod that is missing is the last that is looked
// at. Recreate looks for Pods of other revisions before, in batches of all ordinals.
func (t *target) endsAtMissing() bool { return t.ordered() && !t.isRecreate() }

// podsNeed is what is read for the Pods of the namespace.
func (t *target) podsNeed() view.Need {
	return view.Need{Kind: view.Pods, Namespace: t.set.Namespace}
}

// podNamed is the Pod of a name, whosever it is.
func (t *target) podNamed(name string) (*corev1.Pod, bool) {
	need := t.podsNeed()
	need.Name = name
	return view.Get[*corev1.Pod](t.r, need)
}

// controls reports whether a Pod is its own, nil being none.
//
//go:noinline // a call is shorter than what it does
func (t *target) controls(p *corev1.Pod) bool { return p != nil && metav1.IsControlledBy(p, t.set) }

// taken reports whether a Pod has a name, whosever it is.
func (t *target) taken(pod string) bool {
	need := t.podsNeed()
	type key struct{ namespace string }
	if t.r.Err(need) != nil {
		return false
	}
	names := view.Derived(t.r.View, key{t.set.Namespace}, func() map[string]bool {
		all := map[string]bool{}
		for _, m := range t.r.Metadata(need) {
			all[m.GetName()] = true
		}
		return all
	})
	return names[pod]
}

// keeps reports whether a Pod is its own and not released. Of those, one without a phase
// alone has a name that is still to be created.
func (t *target) keeps(p *corev1.Pod) bool {
	return t.controls(p) && t.selector.Matches(labels.Set(p.Labels))
}

// outlives reports whether the only owner of a Pod was replaced by one of its name.
//
//go:noinline // a call is shorter than what it does
func (t *target) outlives(p *corev1.Pod) bool {
	_, replaced := ownership.Dangling(t.r, p)
	return replaced && len(p.OwnerReferences) == 1
}

func (t *target) revisionsNeed() view.Need {
	return view.Need{Kind: view.ControllerRevisions, Namespace: t.set.Namespace, IfMissing: "which revision a Pod is updated to is known from status alone"}
}

// asRead is the StatefulSet without what a question or earlier rounds changed, nil where
// there is none.
func (t *target) asRead() *appsv1.StatefulSet {
	obj, found := t.r.AsRead().Held(view.StatefulSets, t.set.Namespace, t.set.Name)
	set, ok := obj.(*appsv1.StatefulSet)
	if !found || !ok {
		return nil
	}
	return set
}

func (t *target) volumesNeed() view.Need {
	unknown := "which volume claims of its Pods are missing, or being deleted, is not known"
	if volume.PolicyOf(t.set).Scaled {
		unknown += "; those of Pods that are deleted for good are taken to be deleted with them (whenScaled Delete)"
	}
	return view.Need{Kind: view.PersistentVolumeClaims, Namespace: t.set.Namespace, IfMissing: unknown}
}

func (t *target) get(need view.Need) (any, bool) {
	need.Detail = view.Full
	obj, err := t.r.Object(need)
	return obj, err == nil && obj != nil
}

func (t *target) options() health.Options {
	return health.Options{Running: true, Now: t.now, MinReady: time.Duration(t.set.Spec.MinReadySeconds) * time.Second, Exact: t.behaviour.exact}
}
