package controller

import (
	"fmt"
	"maps"
	"slices"
	"sort"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
)

// mostLooks bounds the look at numbers of replicas one by one: in Pods looked at, over
// all rounds of all of them.
const mostLooks = 120_000

// simulatedPods is up to how many Pods of a controller all rounds of each scale-down
// are simulated; of more, so many rounds that they look at firstLooks Pods.
const (
	simulatedPods = 200
	firstLooks    = 10_000
	// oneSimulation is what a simulation counts for without its Pods.
	oneSimulation = 100
)

// deletion finds the numbers of replicas at which the Pod is deleted.
func (p *podReport) deletion(top link, below *decision.Decision) error {
	replicas, replaced, err := p.replicas(top, below)
	if err != nil {
		return err
	}
	top.controller.quiet = true
	f := &fates{podReport: p, top: top, known: map[int]fate{}, peers: p.peers()}
	out := &decision.PodDeletion{Scaled: p.out.Owners[len(p.out.Owners)-len(p.chain)], Replicas: replicas}
	now, err := f.fate(nil)
	if err != nil {
		return err
	}
	if out.Now, out.Message = now.Fate, now.Message; now.Fate == decision.Safe {
		out.Replaced = replaced
		out.Incomplete, err = f.below(replicas)
		for _, n := range slices.Backward(slices.Sorted(maps.Keys(f.known))) {
			if at := f.known[n]; at.ended || at.Fate != decision.Safe {
				out.At(n, at.Spared)
			}
		}
	}
	p.out.Deletion = out
	return err
}

// replicas are those that the top of the chain has now, and whether a rollout of it
// replaces the Pods of the set that this one is of.
func (p *podReport) replicas(top link, below *decision.Decision) (n int, replaced bool, err error) {
	if len(p.chain) == 1 {
		p.waits(below)
		return below.Replicas.Desired, false, nil
	}
	r := p.v.Reader()
	p.used = append(p.used, r)
	d, err := top.controller.Run(r, p.profile, top.Target, nil)
	if err != nil || d.Replicas == nil {
		return 0, false, err
	}
	p.waits(d)
	p.warn(d, autoscalerScales)
	old := slices.ContainsFunc(d.Sets, func(s decision.Set) bool {
		return s.Role == decision.Old && s.Object.UID == string(p.chain[0].obj.GetUID())
	})
	if !old {
		p.judged(d)
	}
	return d.Replicas.Desired, old && !paused(d), nil
}

// waits notes that no leader is active for the top of the chain.
func (p *podReport) waits(d *decision.Decision) {
	if lease.WithoutLeader(d) != "" {
		p.once = ", once a leader is active"
	}
}

// judged takes the cause as the top of the chain judges it, which may set it a deadline of
// its own.
func (p *podReport) judged(d *decision.Decision) {
	for _, c := range d.Causes() {
		if c.Pod != nil && c.Object.Name == p.pod.Name {
			p.cause = &c
		}
	}
}

// paused reports whether a rollout does not go on since it is paused.
func paused(d *decision.Decision) bool {
	return slices.ContainsFunc(d.BlockedBy, func(c decision.Cause) bool { return c.Reason == "Paused" })
}

// fates is what becomes of the Pod at numbers of replicas of the top of its chain.
type fates struct {
	*podReport
	top   link
	known map[int]fate
	// peers counts the Pods of its controller, looks those that were looked at.
	peers, looks int
}

// fate is what becomes of the Pod; ended is false where that is known of the first rounds
// only.
type fate struct {
	decision.Spared
	ended bool
}

// below looks at the numbers of replicas below the present one, the highest first. Of
// too many, it looks by halving for one that deletes the Pod, which misses others:
// fewer replicas may spare a Pod that more of them delete.
func (f *fates) below(replicas int) (incomplete bool, err error) {
	n := replicas - 1
	for ; n >= 0 && f.looks < mostLooks; n-- {
		at, err := f.look(n)
		if err != nil || f.missing() {
			return incomplete, err
		}
		incomplete = incomplete || !at.ended
	}
	if n < 0 {
		return incomplete, nil
	}
	for _, is := range []func(decision.Fate) bool{
		func(f decision.Fate) bool { return f != decision.Safe },
		func(f decision.Fate) bool { return f == decision.Doomed },
	} {
		if err := f.halve(n+1, is); err != nil {
			return true, err
		}
	}
	return true, nil
}

// halve looks for a number below a limit at which the Pod has a fate.
func (f *fates) halve(limit int, is func(decision.Fate) bool) (failed error) {
	sort.Search(limit, func(less int) bool {
		n := limit - 1 - less
		at, err := f.look(n)
		if err != nil {
			failed = err
		}
		return is(at.Fate)
	})
	return failed
}

// look notes what becomes of the Pod at a number of replicas.
func (f *fates) look(n int) (at fate, err error) {
	if at, known := f.known[n]; known {
		return at, nil
	}
	replicas := int32(n)
	if at, err = f.fate(&replicas); err == nil {
		f.known[n] = at
	}
	return at, err
}

// missing reports whether something is to be read before there is an answer.
func (p *podReport) missing() bool {
	return slices.ContainsFunc(p.used, (*view.Reader).Provisional)
}

// fate is what becomes of the Pod when the top of the chain has so many replicas, nil
// for no change.
func (f *fates) fate(replicas *int32) (fate, error) {
	top, v, changes := f.top, f.v, []decision.Change(nil)
	if replicas != nil {
		obj, changed, err := top.controller.WhatIf.Change(top.obj, whatif.Fields{Replicas: replicas})
		if err != nil {
			return fate{}, fmt.Errorf("%s/%s/%s: %w", top.Kind.Resource, top.Namespace, top.Name, err)
		}
		v, changes = v.With(top.Kind, obj).AsWhatIf(), changed
	}
	f.looks += f.peers + oneSimulation
	if top.controller.Step != nil {
		d, used, err := top.controller.Simulate(v, f.profile, top.Target, changes, f.rounds())
		if err == nil {
			f.note(used)
			if d.Timeline == nil {
				return fate{}, nil // something is missing yet
			}
			f.looks += f.peers * len(d.Timeline.Rounds)
			f.ranked = f.ranked || d.Ranks()
			return fate{d.FateOf(f.out.Target), d.Timeline.End.Outcome != decision.Unfinished}, nil
		}
	}
	r := v.Reader()
	d, err := top.controller.Run(r, f.profile, top.Target, changes)
	f.note([]*view.Reader{r})
	if err != nil {
		return fate{}, err
	}
	f.ranked = f.ranked || d.Ranks()
	return fate{d.FateOf(f.out.Target), false}, nil
}

// rounds are as many as are simulated.
func (f *fates) rounds() (o simulate.Options) {
	if f.peers > simulatedPods {
		o.Rounds = max(2, firstLooks/f.peers)
	}
	return o
}

func (p *podReport) note(used []*view.Reader) {
	for _, r := range used {
		p.used = append(p.used, r.Noted())
	}
}

// peers counts the Pods of its controller.
func (p *podReport) peers() int {
	return len(p.r.ControlledBy(p.siblings(), p.chain[0].obj.GetUID()))
}

// siblings are the Pods of its namespace, those of its controller among them.
func (p *podReport) siblings() view.Need {
	return view.Need{Kind: view.Pods, Namespace: p.pod.Namespace, IfMissing: "how many Pods share its controller is not known"}
}
