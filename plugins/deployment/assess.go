package deployment

import (
	"fmt"
	"slices"
	"sort"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// assess finds out why a rollout does not go on, down to the Pods. They are read only
// where the ReplicaSets do not say that all is as desired.
func assess(r *view.Reader, p profile.Profile, t view.Target, out *decision.Decision) health.Assessment {
	d, err := load(r, t)
	if err != nil {
		return health.Unassessed()
	}
	a := &assessor{r: r, profile: p, d: d, ref: ownership.RefTo(t.Kind, d), out: out, options: optionsOf(r, p, d), pods: map[string][]*corev1.Pod{}}
	a.selector, err = metav1.LabelSelectorAsSelector(d.Spec.Selector)
	if d.DeletionTimestamp != nil {
		return health.Deleted(a.ref, d, a.remaining(err))
	}
	if err != nil || left[out.Gate.Rule] {
		return health.Assessment{Causes: []decision.Cause{a.unusable()}}
	}
	a.load()
	found := a.assess()
	if r.Closely() {
		ownership.NoteOverlap(out, "ReplicaSet", view.List[*appsv1.ReplicaSet](r, a.setsNeed(), a.selector))
		var pods []*corev1.Pod
		for _, rs := range a.sets {
			pods = append(pods, a.podsOf(rs)...)
		}
		health.NoteEnded(out, pods)
	}
	return found
}

// left are the gates behind which the controller does nothing at all.
var left = map[string]bool{SelectsAll: true, InvalidSelector: true, StrategyUnknown: true}

// assessor is what is known of one Deployment.
type assessor struct {
	r        *view.Reader
	profile  profile.Profile
	d        *appsv1.Deployment
	ref      decision.Ref
	out      *decision.Decision
	options  health.Options
	selector labels.Selector
	// sets are its own, the oldest first; newRS is the one with its template, nil
	// for none.
	sets  []*appsv1.ReplicaSet
	newRS *appsv1.ReplicaSet
	// pods are those of each set, by its UID, as far as they were looked at.
	pods map[string][]*corev1.Pod
}

func optionsOf(r *view.Reader, p profile.Profile, d *appsv1.Deployment) health.Options {
	o := health.Options{Now: r.Now(), MinReady: time.Duration(d.Spec.MinReadySeconds) * time.Second, Exact: p.Kubernetes.AtLeast(34, 0)}
	if hasDeadline(d) {
		o.Deadline = time.Duration(*d.Spec.ProgressDeadlineSeconds) * time.Second
	}
	return o
}

func (a *assessor) setsNeed() view.Need {
	return view.Need{Kind: view.ReplicaSets, Namespace: a.d.Namespace}
}

func (a *assessor) load() {
	a.sets = view.ListControlledBy[*appsv1.ReplicaSet](a.r, a.setsNeed(), a.selector, a.d.UID)
	sort.Sort(byCreation(a.sets))
	a.newRS = tellApart(a.d, a.sets).existing
}

func (a *assessor) assess() health.Assessment {
	n := a.stored()
	if a.settled(n) {
		return health.Assessment{Replicas: n, Note: a.note()}
	}
	read := a.readPods()
	if read {
		n = a.counted()
		a.correct()
	}
	paused, causes := a.paused(), append(a.refusedSet(), a.going()...)
	if a.newRS != nil {
		causes = append(causes, a.below(a.newRS, read)...)
	}
	for _, rs := range a.sets {
		if rs != a.newRS {
			causes = append(causes, a.belowOld(rs, read, len(causes) > 0)...)
		}
	}
	ofPods := a.ofPods(len(causes) > 0)
	a.sooner(ofPods)
	if a.failsAnew(ofPods) { // resumed, it would fail as well
		causes = slices.Concat(causes, ofPods, paused)
	} else {
		causes = slices.Concat(paused, causes, ofPods)
	}
	return health.Assessment{Replicas: n, Causes: append(causes, a.overdue(n, causes)...), Unread: !read, Note: a.note()}
}

// stored are the numbers that the ReplicaSets report.
func (a *assessor) stored() *decision.Replicas {
	n := &decision.Replicas{
		Desired: int(*a.d.Spec.Replicas), Current: int(sum(a.sets, actual)), Ready: int(sum(a.sets, ready)), Available: int(sum(a.sets, available)),
	}
	updated := 0
	if a.newRS != nil {
		updated = int(actual(a.newRS))
	}
	n.Updated, n.UpdatedDesired = &updated, &n.Desired
	return n
}

// counted are the same numbers, of the Pods as they are.
func (a *assessor) counted() *decision.Replicas {
	n, updated := &decision.Replicas{}, 0
	for _, rs := range a.sets {
		of := health.Count(a.podsOf(rs), 0, a.options)
		n.Current, n.Ready, n.Available = n.Current+of.Current, n.Ready+of.Ready, n.Available+of.Available
		if rs == a.newRS {
			updated = of.Current
		}
	}
	n.Desired = int(*a.d.Spec.Replicas)
	n.Updated, n.UpdatedDesired = &updated, &n.Desired
	return n
}

// correct adds to the sets what their status does not say: while no leader writes it,
// it is that of long ago.
func (a *assessor) correct() {
	for _, rs := range a.sets {
		of := health.Count(a.podsOf(rs), 0, a.options)
		now := decision.Counted{Pods: int32(of.Current), Available: int32(of.Available)}
		if set := a.setOf(rs); set != nil && (now.Pods != set.Actual || now.Available != set.Available) {
			set.Counted = &now
		}
	}
}

// setOf is a set as the answer shows it, nil where it does not.
func (a *assessor) setOf(rs *appsv1.ReplicaSet) *decision.Set {
	i := slices.IndexFunc(a.out.Sets, func(s decision.Set) bool { return s.Object.UID == string(rs.UID) })
	if i < 0 {
		return nil
	}
	return &a.out.Sets[i]
}

// settled reports whether the ReplicaSets say that all is as desired, and nothing is
// being deleted, and that can be relied on without a look at the Pods.
func (a *assessor) settled(n *decision.Replicas) bool {
	for _, rs := range a.sets {
		if !reported(rs) || a.deletes(rs) || a.restarts(rs) || goes(rs) {
			return false
		}
	}
	going := terminating(a.sets)
	if going == nil && n.Desired == 0 && !a.podsInFiles() {
		return n.Complete() // no Pods are left that files could hold
	}
	return n.Complete() && going != nil && *going == 0 && a.upToDate() && !a.restart(n)
}

// deletes reports whether a Pod of a set is being deleted: status does not count those
// that have ended.
func (a *assessor) deletes(rs *appsv1.ReplicaSet) bool {
	return a.podsInFiles() && slices.ContainsFunc(a.r.ControlledBy(a.podsNeed(a.selector), rs.UID), func(pod metav1.Object) bool { return pod.GetDeletionTimestamp() != nil })
}

// mostClosely is of how many Pods the status is read to look for those that restart.
const mostClosely = 500

// restart reports whether a Pod is available and ends again and again, where that takes a
// read of the Pods' status: for one Deployment that is asked about alone, and has few Pods.
func (a *assessor) restart(n *decision.Replicas) bool {
	if !a.r.Closely() || !a.r.Vouches(view.Pods) || n.Current > mostClosely {
		return false
	}
	need := view.Need{Kind: view.Pods, Namespace: a.d.Namespace, IfMissing: "whether Pods restart is not known", Explains: true, Extra: true}
	a.lookAt(need, a.sets...)
	return slices.ContainsFunc(a.sets, func(rs *appsv1.ReplicaSet) bool { return slices.ContainsFunc(a.podsOf(rs), a.options.Restarts) })
}

// restarts reports whether files have a Pod of a set that is available and ends again and
// again.
func (a *assessor) restarts(rs *appsv1.ReplicaSet) bool {
	if a.r.Vouches(view.Pods) || !a.r.Mentions(view.Pods) {
		return false
	}
	a.lookAt(view.Need{Kind: view.Pods, Namespace: rs.Namespace}, rs)
	return slices.ContainsFunc(a.podsOf(rs), a.options.Restarts)
}

// upToDate reports whether status follows the Pods: a leader is seen to write it. Files
// without any Pod tell no more than status does.
func (a *assessor) upToDate() bool {
	return lease.Held(a.r, &lease.ControllerManager) || !a.podsInFiles()
}

// podsInFiles is false for files that hold no Pods at all.
func (a *assessor) podsInFiles() bool { return a.r.Vouches(view.Pods) || a.r.Mentions(view.Pods) }

// readPods reads the Pods of all sets; false where they can't be read.
func (a *assessor) readPods() bool {
	need := view.Need{Kind: view.Pods, Namespace: a.d.Namespace, IfMissing: "why Pods are not available is not known", Explains: true}
	none := a.noPods(a.sets...)
	if none {
		need.IfMissing = view.TakenAsNone
	}
	a.lookAt(need, a.sets...)
	need.Detail, need.Selector = view.Full, view.SelectorText(a.selector)
	return a.r.Err(need) == nil || none
}

func (a *assessor) lookAt(need view.Need, sets ...*appsv1.ReplicaSet) {
	for _, rs := range sets {
		a.pods[string(rs.UID)] = view.ListControlledBy[*corev1.Pod](a.r, need, a.selector, rs.UID)
	}
}

// noPods reports whether sets are taken to have no Pods, of which files hold none.
func (a *assessor) noPods(sets ...*appsv1.ReplicaSet) bool {
	controllers := make([]metav1.Object, len(sets))
	for i, rs := range sets {
		controllers[i] = rs
	}
	return a.r.TakenAsNone(view.Pods, controllers...)
}

func (a *assessor) podsOf(rs *appsv1.ReplicaSet) []*corev1.Pod { return a.pods[string(rs.UID)] }

// remaining are why its Pods, or its ReplicaSets without any, are still there.
func (a *assessor) remaining(unusable error) []decision.Cause {
	if unusable != nil {
		return nil
	}
	a.load()
	a.readPods()
	var pods []*corev1.Pod
	for _, rs := range a.sets {
		pods = append(pods, a.podsOf(rs)...)
	}
	if len(pods) > 0 {
		return health.Remaining(a.r, pods, a.options)
	}
	var causes []decision.Cause
	for _, rs := range a.sets {
		ref := ownership.RefTo(view.ReplicaSets, rs)
		causes = append(causes, decision.Cause{
			Object: ref, Reason: "NotDeleted", Label: ref.String() + " not deleted yet", Message: "the garbage collector removes it", Evidence: "metadata.ownerReferences",
			Next: fmt.Sprintf("kubectl describe %s -n %s", ref, rs.Namespace),
		})
	}
	return causes
}

// note says what a stable Deployment would leave undone.
func (a *assessor) note() string {
	if a.d.Spec.Paused {
		return "it is paused"
	}
	return ""
}

// sooner says of a check at the progress deadline that a Pod becomes available before: its
// ReplicaSet writes that into status, of which the controller hears.
func (a *assessor) sooner(ofPods []decision.Cause) {
	var first time.Time
	for i := range ofPods {
		c := &ofPods[i]
		if at := c.Since.Add(a.options.MinReady); c.Class == string(health.MinReady) && !c.Since.IsZero() && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	if left := first.Sub(a.options.Now); left > 0 && left < a.out.After && a.out.NextSync.Rule == ProgressCheck {
		decision.Sooner(a.out, Rules.Put, decision.F(keyAvailableAfter, left.String()), decision.F(keyAvailableAt, format.Instant(first)))
	}
}
