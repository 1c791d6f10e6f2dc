package controller

import (
	"sort"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
)

// simulatedPods is up to how many Pods of a controller the rounds of each scale-down
// are simulated; of more, the next sync is decided.
const simulatedPods = 200

// deletion finds the replicas from which on the Pod is deleted. Fewer replicas never
// spare a Pod that more of them delete, so that halving finds them.
func (p *podReport) deletion(top link, below *decision.Decision) error {
	replicas, err := p.replicas(top, below)
	if err != nil {
		return err
	}
	out := &decision.PodDeletion{Scaled: p.out.Owners[len(p.out.Owners)-len(p.chain)], Replicas: replicas}
	now, err := p.fate(top, nil)
	if err != nil {
		return err
	}
	if out.Now, out.Message = now.Fate, now.Message; now.Fate == decision.Safe {
		out.PossibleAt, err = p.highest(top, replicas, out, func(f decision.Fate) bool { return f != decision.Safe })
		if err == nil && out.PossibleAt != nil {
			out.CertainAt, err = p.highest(top, *out.PossibleAt+1, out, func(f decision.Fate) bool { return f == decision.Doomed })
		}
	}
	p.out.Deletion = out
	return err
}

// replicas are those that the top of the chain has now.
func (p *podReport) replicas(top link, below *decision.Decision) (int, error) {
	if len(p.chain) == 1 {
		return below.Replicas.Desired, nil
	}
	r := p.v.Reader()
	p.used = append(p.used, r)
	d, err := top.Run(r, p.profile, top.Target, nil)
	if err != nil || d.Replicas == nil {
		return 0, err
	}
	return d.Replicas.Desired, nil
}

// highest is the highest number of replicas below a limit at which the Pod has a fate;
// nil for none.
func (p *podReport) highest(top link, limit int, out *decision.PodDeletion, is func(decision.Fate) bool) (*int, error) {
	var failed error
	from := sort.Search(limit, func(less int) bool {
		n := int32(limit - 1 - less)
		f, err := p.fate(top, &n)
		if err != nil {
			failed = err
		}
		if is(f.Fate) {
			out.Message = f.Message
			return true
		}
		return false
	})
	if failed != nil || from == limit {
		return nil, failed
	}
	n := limit - 1 - from
	return &n, nil
}

// fate is what becomes of the Pod when the top of the chain has so many replicas, nil
// for no change.
func (p *podReport) fate(top link, replicas *int32) (decision.Spared, error) {
	v, changes := p.v, []decision.Change(nil)
	if replicas != nil {
		obj, changed, err := top.WhatIf.Change(top.obj, whatif.Fields{Replicas: replicas})
		if err != nil {
			return decision.Spared{}, err
		}
		v, changes = v.With(top.Kind, obj).AsWhatIf(), changed
	}
	if top.Step != nil && p.peers() <= simulatedPods {
		d, used, err := top.Simulate(v, p.profile, top.Target, changes, simulate.Options{})
		if err == nil {
			p.note(used)
			return d.FateOf(p.out.Target), nil
		}
	}
	r := v.Reader()
	d, err := top.Run(r, p.profile, top.Target, changes)
	p.note([]*view.Reader{r})
	if err != nil {
		return decision.Spared{}, err
	}
	return d.FateOf(p.out.Target), nil
}

func (p *podReport) note(used []*view.Reader) {
	for _, r := range used {
		p.used = append(p.used, r.Noted())
	}
}

// peers counts the Pods of its controller.
func (p *podReport) peers() int {
	need := view.Need{Kind: view.Pods, Namespace: p.pod.Namespace, Without: "how many Pods share its controller is not known"}
	return len(p.r.ControlledBy(need, p.chain[0].obj.GetUID()))
}
