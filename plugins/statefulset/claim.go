package statefulset

import (
	"errors"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// claims is what the sync's first step comes to.
type claims struct {
	owner ownership.Controller
	pods  []*corev1.Pod
	// padded: the ordinal of one is written with zeros before it; doubled: two have one.
	padded, doubled bool
	// contested are those that others may adopt first.
	contested []*corev1.Pod
	// canAdopt is the answer of the live read, which is made once for the Pods of a sync.
	canAdopt *error
	refusals []error
	// revisions counts its Pods by revision, once asked.
	revisions map[string]int
}

func (c *claims) begin(owner ownership.Controller, n int) {
	c.owner, c.pods = owner, make([]*corev1.Pod, 0, n)
}

// carried counts the Pods that carry each revision.
func (c *claims) carried() map[string]int {
	if c.revisions == nil {
		of := make([]pod, len(c.pods))
		for i, p := range c.pods {
			of[i].revision = p.Labels[appsv1.StatefulSetRevisionLabel]
		}
		c.countRevisions(of)
	}
	return c.revisions
}

// countRevisions counts those of its Pods, of which neighbours often have the same.
func (c *claims) countRevisions(pods []pod) {
	c.revisions = map[string]int{}
	for i := 0; i < len(pods); {
		from := i
		for i < len(pods) && pods[i].revision == pods[from].revision {
			i++
		}
		c.revisions[pods[from].revision] += i - from
	}
}

func (c *claims) refuse(err error) { c.refusals = append(c.refusals, err) }

func (c *claims) keep(p *corev1.Pod) {
	c.pods, c.padded = append(c.pods, p), c.padded || padded(p.Name)
}

func (c *claims) contest(p *corev1.Pod) { c.contested = append(c.contested, p) }

// recheck asks once whether Pods may be adopted.
func (c *claims) recheck(ask func() error) error {
	if c.canAdopt == nil {
		err := ask()
		c.canAdopt = &err
	}
	return *c.canAdopt
}

// claim mirrors getPodsForStatefulSet (stateful_set.go) and ClaimPods
// (controller_ref_manager.go, v1.37.1). Pods that have ended or are being deleted stay
// claimed.
func (s *reconcile) claim() error {
	pods := s.candidates()
	s.claims.begin(ownership.Controller{
		Claimer: ownership.Claimer{Ref: s.ref, Deleting: s.set.DeletionTimestamp != nil, Selector: s.selector, ByIndex: s.behaviour.byName},
		Member:  func(obj metav1.Object) bool { return isMember(s.set.Name, obj.GetName()) },
	}, len(pods))
	s.out.ExpectClaims(len(pods))
	for _, pod := range pods {
		s.claimPod(pod)
	}
	s.claims.compare()
	return utilerrors.NewAggregate(s.claims.refusals)
}

// candidates are the Pods worth a verdict: those that match the selector, and those
// that refer to the StatefulSet.
func (s *reconcile) candidates() []*corev1.Pod {
	need := s.podsNeed()
	return ownership.Candidates(s.r, need, view.List[*corev1.Pod](s.r, need, s.selector), s.selector, s.set.UID)
}

func (s *reconcile) claimPod(pod *corev1.Pod) {
	v := s.claims.owner.Claim(pod, func(metav1.Object) bool { return false })
	switch v.Decision {
	case decision.Owned:
		s.claims.keep(pod)
	case decision.ToAdopt:
		s.adopt(pod, &v)
	case decision.ToRelease:
		err := s.server.send(podPatch(pod, v.Patch, func(now metav1.Object) metav1.Object { return ownership.Without(now, s.set.UID) }))
		s.claimed(decision.Release, pod, v, err, 0)
		if err != nil && !errors.Is(err, cluster.ErrNotFound) && !errors.Is(err, cluster.ErrInvalid) {
			s.claims.refuse(err)
		}
	}
	if v.Ruling.Rule != "" {
		s.out.Claim(decision.Claim{Object: ownership.RefTo(view.Pods, pod), Decision: v.Decision, Ruling: v.Ruling})
	}
}

func podPatch(pod *corev1.Pod, patch string, stored func(metav1.Object) metav1.Object) cluster.Write {
	return cluster.Write{Verb: cluster.Patch, Kind: view.Pods, Namespace: pod.Namespace, Name: pod.Name, Patch: patch, Stored: stored}
}

func (s *reconcile) adopt(pod *corev1.Pod, v *ownership.Verdict) {
	if err := s.claims.recheck(s.rereads); err != nil {
		s.claims.refuse(fmt.Errorf("can't adopt Pod %s/%s (%s): %w", pod.Namespace, pod.Name, pod.UID, err))
		return
	}
	why, n := ownership.Contested(s.r, view.Pods, s.set.UID, s.selector, pod)
	if n > 0 {
		v.Ruling = why
	}
	err := s.server.send(podPatch(pod, v.Patch, func(now metav1.Object) metav1.Object { return ownership.With(now, reference(s.set)) }))
	s.claimed(decision.Adopt, pod, *v, err, n)
	switch {
	case err == nil:
		s.claims.keep(pod)
		if n > 0 {
			s.claims.contest(pod)
		}
	case !errors.Is(err, cluster.ErrNotFound):
		s.claims.refuse(err)
	}
}

// compare finds out whether two of its Pods have one ordinal, which takes one that is padded.
func (c *claims) compare() {
	if !c.padded {
		return
	}
	seen := map[int]bool{}
	c.doubled = slices.ContainsFunc(c.pods, func(p *corev1.Pod) bool {
		n := ordinalOf(p.Name)
		twice := n >= 0 && seen[n]
		seen[n] = true
		return twice
	})
}

// claimed puts an adoption or release on record. rivals is how many other controllers
// would adopt the Pod.
func (s *reconcile) claimed(verb decision.Verb, pod *corev1.Pod, v ownership.Verdict, err error, rivals int) {
	if err != nil {
		return
	}
	s.do(decision.Action{Verb: verb, Object: ownership.RefTo(view.Pods, pod), Patch: v.Patch, Ruling: v.Ruling})
	if rivals > 0 {
		s.out.Latest().Share(&decision.Choice{K: 1, N: rivals + 1})
	}
}

// rereads is liveProblem, put on record.
func (s *reconcile) rereads() error {
	err := s.liveProblem()
	s.out.ClaimBy(ownership.Recheck(s.ref, err))
	return err
}

// liveProblem makes sure that the StatefulSet is still the one it was, and stays
// (canAdoptFunc of stateful_set.go, RecheckDeletionTimestamp of
// controller_ref_manager.go, v1.37.1).
func (s *reconcile) liveProblem() error {
	live, err := metav1.Object(s.set), error(nil)
	if s.given.API.Live != nil {
		live, err = s.given.API.Live()
	}
	switch {
	case err != nil:
		return fmt.Errorf("can't recheck DeletionTimestamp: %w", err)
	case live.GetUID() != s.set.UID:
		return fmt.Errorf("can't recheck DeletionTimestamp: original StatefulSet %s/%s is gone: got uid %s, wanted %s",
			s.set.Namespace, s.set.Name, live.GetUID(), s.set.UID)
	case live.GetDeletionTimestamp() != nil:
		return fmt.Errorf("%s/%s has just been deleted at %s", live.GetNamespace(), live.GetName(), live.GetDeletionTimestamp().UTC())
	}
	return nil
}

// act puts an action on record, which the last write does.
func (s *reconcile) act(verb decision.Verb, object decision.Ref, why decision.Ruling) {
	s.do(decision.Action{Verb: verb, Object: object, Ruling: why})
}

func (s *reconcile) do(a decision.Action) {
	s.out.Do(decision.Action{
		Verb: a.Verb, Object: a.Object, Count: 1, Certainty: s.certainty(), Patch: a.Patch, Into: a.Into, Collects: a.Collects, Surplus: a.Surplus, Write: s.server.number(), Ruling: a.Ruling,
	})
}

// certainty is that of what the sync does from here: it ends where an object that may be
// refused is, and goes another way where another controller adopts a Pod first, where two
// Pods have one ordinal, and where a Pod may have been updated.
func (s *reconcile) certainty() decision.Certainty {
	if s.doubtful || len(s.admits.doubts)+len(s.claims.contested) > 0 || s.claims.doubled {
		return decision.Possible
	}
	return decision.Certain
}
