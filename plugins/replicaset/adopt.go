package replicaset

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

func (c *claimer) adopt(s *sync, pod *corev1.Pod, v *ownership.Verdict) {
	if c.others == nil {
		c.others = ownership.AdoptersOf(s.r, view.Pods, pod.Namespace)
	}
	if err := c.recheck(s.set); err != nil {
		c.fail(fmt.Errorf("can't adopt Pod %s/%s (%s): %w", pod.Namespace, pod.Name, pod.UID, err))
		return
	}
	rivals := c.rivals(s, pod)
	if rivals != nil {
		v.Ruling = rivals.Ruling
	}
	err := answer(c.api.Adopt, pod.Name)
	c.act(decision.Adopt, pod, *v, c.log.adopt(s.set, pod, v.Patch, err))
	if rivals != nil {
		c.actions[len(c.actions)-1].Share(&rivals.choice)
	}
	switch {
	case err == nil:
		c.active = append(c.active, pod)
		c.adopted++
		if rivals != nil {
			c.contested = append(c.contested, pod)
		}
	case !errors.Is(err, cluster.ErrNotFound):
		c.fail(err)
	}
}

// recheck makes sure, once a sync, that the set is still the one it was, and
// stays (RecheckDeletionTimestamp of controller_ref_manager.go, claimPods of
// replica_set.go, v1.37.1).
func (c *claimer) recheck(cached *set) error {
	if !c.rechecked {
		c.rechecked, c.canAdopt = true, c.liveProblem(cached)
		c.read = new(ownership.Recheck(cached.ref, c.canAdopt))
	}
	return c.canAdopt
}

func (c *claimer) liveProblem(cached *set) error {
	if c.api.Live == nil {
		return nil
	}
	live, err := c.api.Live()
	switch {
	case err != nil:
		return fmt.Errorf("can't recheck DeletionTimestamp: %w", err)
	case live.GetUID() != cached.UID:
		return fmt.Errorf("can't recheck DeletionTimestamp: original %s %s/%s is gone: got uid %s, wanted %s",
			cached.kind.Kind, cached.Namespace, cached.Name, live.GetUID(), cached.UID)
	case live.GetDeletionTimestamp() != nil:
		return fmt.Errorf("%s/%s has just been deleted at %s", live.GetNamespace(), live.GetName(), live.GetDeletionTimestamp().UTC())
	}
	return nil
}

// rivalry is what several controllers make of a Pod that each would adopt.
type rivalry struct {
	decision.Ruling
	choice decision.Choice
}

// rivals is the rivalry about a Pod, nil where no other controller would adopt
// it. Pods that the same would adopt share it.
func (c *claimer) rivals(s *sync, pod *corev1.Pod) *rivalry {
	met := c.others.Adopting(pod)
	r, known := c.rivalries[met]
	if !known {
		if why, n := ownership.Contested(s.r, view.Pods, s.set.UID, s.set.selector, pod); n > 0 {
			r = &rivalry{why, decision.Choice{K: 1, N: n + 1}}
		}
		c.rivalries[met] = r
	}
	return r
}
