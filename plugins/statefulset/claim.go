package statefulset

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/refmanager"
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

func (c *claims) keep(p *corev1.Pod, contested bool) {
	c.pods, c.padded = append(c.pods, p), c.padded || padded(p.Name)
	if contested {
		c.contested = append(c.contested, p)
	}
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
	manager := refmanager.Manager{
		Reader: s.r, Kind: view.Pods, Owner: s.ref, Selector: s.selector, Live: s.live,
		Send: func(_ decision.Verb, w cluster.Write) error { return s.server.send(w) },
	}
	for _, pod := range pods {
		s.claimed(pod, manager.Claim(pod, s.claims.owner.Claim(pod, func(metav1.Object) bool { return false })))
	}
	if read := manager.Read(); read != nil {
		s.out.ClaimBy(*read)
	}
	s.claims.compare()
	return manager.Err()
}

// candidates are the Pods worth a verdict: those that match the selector, and those
// that refer to the StatefulSet.
func (s *reconcile) candidates() []*corev1.Pod {
	need := s.podsNeed()
	return ownership.Candidates(s.r, need, view.List[*corev1.Pod](s.r, need, s.selector), s.selector, s.set.UID)
}

// claimed puts the claim of a Pod on record.
func (s *reconcile) claimed(pod *corev1.Pod, c refmanager.Claimed) {
	if c.Sent != "" && c.Err == nil {
		s.do(decision.Action{Verb: c.Sent, Object: ownership.RefTo(view.Pods, pod), Patch: c.Patch, Ruling: c.Ruling})
		if c.Rivals != nil {
			s.out.Latest().Share(&c.Rivals.Choice)
		}
	}
	if c.Kept() {
		s.claims.keep(pod, c.Rivals != nil)
	}
	if c.Ruling.Rule != "" {
		s.out.Claim(decision.Claim{Object: ownership.RefTo(view.Pods, pod), Decision: c.Decision, Ruling: c.Ruling})
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

// withZeros are the Pods whose ordinals are written with zeros before them.
func (c *claims) withZeros() (all []*corev1.Pod) {
	if !c.padded {
		return nil
	}
	for _, p := range c.pods {
		if padded(p.Name) && ordinalOf(p.Name) >= 0 {
			all = append(all, p)
		}
	}
	return all
}

// rereads makes sure that the StatefulSet is still the one it was, and stays
// (canAdoptFunc of stateful_set.go, v1.37.1), and puts it on record.
func (s *reconcile) rereads() error {
	err := refmanager.Recheck(s.ref, s.live)
	s.out.ClaimBy(ownership.Recheck(s.ref, err))
	return err
}

// live reads the StatefulSet from the API server.
func (s *reconcile) live() (metav1.Object, error) {
	if s.given.API.Live == nil {
		return s.set, nil
	}
	return s.given.API.Live()
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
