package replicaset

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/refmanager"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// claims is what the sync's first half comes to.
type claims struct {
	verdicts []decision.Claim
	actions  []decision.Action
	// active are the pods that count: claimed and not finished or deleting.
	active  []*corev1.Pod
	adopted int
	// contested are those of active that others may adopt first.
	contested []*corev1.Pod
	// matching are the pods that match the selector, active or not.
	matching []*corev1.Pod
	// all are those with the ones that finished or are on their way out.
	all []*corev1.Pod
	// terminating counts owned, matching pods on their way out.
	terminating int
	// read is the live one before the first adoption, nil where none is made.
	read *decision.Ruling
	// err holds the refusals of adoptions and releases; the sync ends there.
	err error
}

// claimer puts one claim after the other on record.
type claimer struct {
	owner   ownership.Claimer
	manager refmanager.Manager
	// write is the number of the last request.
	write int
	claims
}

// claim mirrors claimPods and the filters before it (replica_set.go
// syncReplicaSet, v1.37.1).
func (s *sync) claim() claims {
	c := &claimer{
		owner: ownership.Claimer{
			Ref: s.set.ref, Deleting: s.set.DeletionTimestamp != nil,
			Selector: s.set.selector, ByIndex: s.behaviour.byName,
		},
	}
	c.manager = refmanager.Manager{
		Reader: s.r, Kind: view.Pods, Owner: s.set.ref, Selector: s.set.selector, Live: s.given.API.Live,
		Send: func(verb decision.Verb, w cluster.Write) error {
			w.Err = s.given.API.claim(verb, w.Name)
			c.write = s.log.Add(w)
			return w.Err
		},
	}
	c.matching = s.matching()
	pods := s.candidates(c.matching)
	c.verdicts = make([]decision.Claim, 0, len(pods))
	c.all, c.active = make([]*corev1.Pod, 0, len(pods)), make([]*corev1.Pod, 0, len(pods))
	c.actions = make([]decision.Action, 0, withoutController(pods))
	for _, pod := range pods {
		if !s.lost.Has(pod.UID) {
			c.one(pod)
		}
	}
	c.read, c.err = c.manager.Read(), c.manager.Err()
	return c.claims
}

// withoutController counts the pods that may be adopted.
func withoutController(pods []*corev1.Pod) int {
	n := 0
	for _, pod := range pods {
		if metav1.GetControllerOfNoCopy(pod) == nil {
			n++
		}
	}
	return n
}

// candidates are the pods worth a verdict: those that refer to the set, and
// those that match its selector, matching.
func (t *target) candidates(matching []*corev1.Pod) []*corev1.Pod {
	return ownership.Candidates(t.r, t.podsNeed(), matching, t.set.selector, t.set.UID)
}

// matching are the pods that match the selector, active or not.
func (t *target) matching() []*corev1.Pod {
	return view.List[*corev1.Pod](t.r, t.podsNeed(), t.set.selector)
}

func (t *target) podsNeed() view.Need {
	return view.Need{Kind: view.Pods, Namespace: t.set.Namespace}
}

func (c *claimer) one(pod *corev1.Pod) {
	v := c.owner.Claim(pod)
	if v.Decision == decision.Owned || v.Decision == decision.ToAdopt {
		c.all = append(c.all, pod)
	}
	if !isActive(pod) {
		c.inactive(pod, v)
		return
	}
	switch v.Decision { //exhaustive:enforce
	case decision.Owned:
		c.active = append(c.active, pod)
	case decision.ToAdopt, decision.ToRelease:
		done := c.manager.Claim(pod, v)
		if done.Sent != "" {
			c.act(pod, &done)
		}
		if done.Kept() {
			c.active = append(c.active, pod)
		}
		v = done.Verdict
	case decision.Ignored, decision.Inactive:
	}
	c.verdict(pod, v)
}

// act puts an adoption or release on record.
func (c *claimer) act(pod *corev1.Pod, done *refmanager.Claimed) {
	c.actions = append(c.actions, decision.Action{
		Verb: done.Sent, Object: ownership.RefTo(view.Pods, pod), Count: 1,
		Certainty: decision.Certain, Patch: done.Patch, Write: c.write, Ruling: done.Ruling,
	})
	if done.Rivals != nil {
		c.actions[len(c.actions)-1].Share(&done.Rivals.Choice)
	}
	if done.Sent == decision.Adopt && done.Err == nil {
		c.adopted++
		if done.Rivals != nil {
			c.contested = append(c.contested, pod)
		}
	}
}

func (c *claimer) verdict(pod *corev1.Pod, v ownership.Verdict) {
	c.verdicts = append(c.verdicts, decision.Claim{Object: ownership.RefTo(view.Pods, pod), Decision: v.Decision, Ruling: v.Ruling})
}

// inactive records a pod that is filtered out before claiming.
func (c *claimer) inactive(pod *corev1.Pod, v ownership.Verdict) {
	if v.Decision == decision.Ignored {
		c.verdict(pod, v)
		return
	}
	rule := FinishedNotCounted
	if pod.DeletionTimestamp != nil {
		rule = TerminatingNotCounted
		if v.Decision == decision.Owned && isTerminating(pod) {
			c.terminating++
		}
	}
	c.verdict(pod, ownership.Verdict{Decision: decision.Inactive, Ruling: decision.Ruled(rule,
		decision.At(keyPhase, string(pod.Status.Phase), "status.phase"),
		decision.At(keyDeletionTimestamp, deletionOf(pod), "metadata.deletionTimestamp"))})
}

func deletionOf(obj metav1.Object) string {
	if t := obj.GetDeletionTimestamp(); t != nil {
		return t.UTC().Format("2006-01-02T15:04:05Z")
	}
	return ""
}

// isActive mirrors IsPodActive of pkg/controller/controller_utils.go (v1.37.1).
func isActive(p *corev1.Pod) bool { return !view.Ended(p) && p.DeletionTimestamp == nil }

// isTerminating mirrors IsPodTerminating (same file).
func isTerminating(p *corev1.Pod) bool { return !view.Ended(p) && p.DeletionTimestamp != nil }
