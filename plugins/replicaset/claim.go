package replicaset

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// claims is what the sync's first half comes to.
type claims struct {
	verdicts []decision.Claim
	actions  []decision.Action
	// active are the pods that count: claimed and not finished or deleting.
	active  []*corev1.Pod
	adopted int
	// terminating counts owned, matching pods on their way out.
	terminating int
	// err is the first refusal of an adoption or release; the sync ends there.
	err error
}

// claimer puts one claim after the other on record.
type claimer struct {
	owner  ownership.Claimer
	api    API
	others []ownership.Adopter
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
		api: s.given.API,
	}
	for _, pod := range s.candidates() {
		c.one(s, pod)
	}
	return c.claims
}

// candidates are the pods worth a verdict: those that refer to the set, and
// those that match its selector.
func (s *sync) candidates() []*corev1.Pod {
	pods := view.List[*corev1.Pod](s.r, s.podsNeed(), s.set.selector)
	for _, m := range s.r.ControlledBy(s.podsNeed(), s.set.UID) {
		if s.set.selector.Matches(labels.Set(m.GetLabels())) {
			continue
		}
		need := s.podsNeed()
		need.Name = m.GetName()
		if pod, ok := view.Get[*corev1.Pod](s.r, need); ok {
			pods = append(pods, pod)
		}
	}
	return pods
}

func (s *sync) podsNeed() view.Need {
	return view.Need{Kind: view.Pods, Namespace: s.set.Namespace}
}

func (c *claimer) one(s *sync, pod *corev1.Pod) {
	v := c.owner.Claim(pod)
	if !isActive(pod) {
		c.inactive(pod, v)
		return
	}
	switch v.Hold {
	case decision.Owned:
		c.active = append(c.active, pod)
	case decision.ToAdopt:
		c.adopt(s, pod, &v)
	case decision.ToRelease:
		c.act(decision.Release, pod, v)
		if err := answer(c.api.Release, pod.Name); err != nil && !isAny(err, ErrNotFound, ErrInvalid) {
			c.fail(err)
		}
	}
	c.verdict(pod, v)
}

func (c *claimer) adopt(s *sync, pod *corev1.Pod, v *ownership.Verdict) {
	if c.others == nil {
		c.others = ownership.Adopters(s.r, pod.Namespace, s.set.UID)
	}
	if c.api.Recheck != nil {
		if err := c.api.Recheck(); err != nil {
			c.fail(fmt.Errorf("can't adopt Pod %s/%s (%s): %w", pod.Namespace, pod.Name, pod.UID, err))
			return
		}
	}
	rivals := rivals(c.others, pod)
	if len(rivals) > 0 {
		v.Ruling = decision.Ruled(AdoptContested, decision.F("selector", s.set.selector.String()), decision.F("rivals", list(rivals)))
	}
	c.act(decision.Adopt, pod, *v)
	if len(rivals) > 0 {
		a := &c.actions[len(c.actions)-1]
		a.Certainty, a.Choice = decision.Possible, &decision.Choice{K: 1, N: len(rivals) + 1}
	}
	switch err := answer(c.api.Adopt, pod.Name); {
	case err == nil:
		c.active = append(c.active, pod)
		c.adopted++
	case !isAny(err, ErrNotFound):
		c.fail(err)
	}
}

func rivals(others []ownership.Adopter, pod *corev1.Pod) []string {
	var names []string
	for _, o := range others {
		if o.Adopts(pod) {
			names = append(names, o.Ref.String())
		}
	}
	return names
}

func (c *claimer) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

func (c *claimer) act(verb decision.Verb, pod *corev1.Pod, v ownership.Verdict) {
	c.actions = append(c.actions, decision.Action{
		Verb: verb, Object: ownership.RefTo(view.Pods, pod), Count: 1,
		Certainty: decision.Certain, Patch: v.Patch, Ruling: v.Ruling,
	})
}

func (c *claimer) verdict(pod *corev1.Pod, v ownership.Verdict) {
	c.verdicts = append(c.verdicts, decision.Claim{Object: ownership.RefTo(view.Pods, pod), Hold: v.Hold, Ruling: v.Ruling})
}

// inactive records a pod that is filtered out before claiming.
func (c *claimer) inactive(pod *corev1.Pod, v ownership.Verdict) {
	if v.Hold == decision.Ignored {
		c.verdict(pod, v)
		return
	}
	rule := FinishedNotCounted
	if pod.DeletionTimestamp != nil {
		rule = TerminatingNotCounted
		if v.Hold == decision.Owned && isTerminating(pod) {
			c.terminating++
		}
	}
	c.verdict(pod, ownership.Verdict{Hold: decision.Inactive, Ruling: decision.Ruled(rule,
		decision.At("phase", string(pod.Status.Phase), "status.phase"),
		decision.At("deletionTimestamp", deletionOf(pod), "metadata.deletionTimestamp"))})
}

func deletionOf(obj metav1.Object) string {
	if t := obj.GetDeletionTimestamp(); t != nil {
		return t.UTC().Format("2006-01-02T15:04:05Z")
	}
	return ""
}

// isActive mirrors IsPodActive of pkg/controller/controller_utils.go (v1.37.1).
func isActive(p *corev1.Pod) bool { return !isFinished(p) && p.DeletionTimestamp == nil }

// isTerminating mirrors IsPodTerminating (same file).
func isTerminating(p *corev1.Pod) bool { return !isFinished(p) && p.DeletionTimestamp != nil }

func isFinished(p *corev1.Pod) bool {
	return p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed
}
