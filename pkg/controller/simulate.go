package controller

import (
	"cmp"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Simulate decides as Run does, and puts the rounds that follow into the
// Decision's Timeline. The Readers tell what was read for it; while one of
// them misses something, there is no Timeline.
func (c Controller) Simulate(v *view.View, prof profile.Profile, t Target, changes []decision.Change, o simulate.Options) (_ *decision.Decision, _ []*view.Reader, err error) {
	defer Caught(t, &err)
	if c.Step == nil {
		return nil, nil, c.notSimulated(t)
	}
	var first *decision.Decision
	var used []*view.Reader
	if c.leads() { // what follows its first sync is shown as well
		r := v.Reader()
		used = append(used, r)
		if first, err = c.predict(r, prof, t); err != nil {
			return nil, used, err
		}
		if r.Provisional() {
			return &decision.Decision{}, used, nil
		}
	}
	o.Features, o.Below = admission.FeaturesOf(prof.Kubernetes), c.below(prof, t)
	res, err := simulate.Run(v, func(r *view.Reader) (_ *simulate.Sync, err error) {
		defer Caught(t, &err) // here, what was read up to now is not lost
		return c.Step(r, prof, t)
	}, o)
	used = append(used, res.Readers...)
	if err != nil {
		return nil, used, err
	}
	if res.First == nil {
		return &decision.Decision{}, used, nil // something is missing yet
	}
	for _, r := range used {
		if err := unread(r, t); err != nil {
			return nil, used, err
		}
	}
	d := cmp.Or(first, res.First)
	err = c.finish(d, used[0], prof, t, changes)
	for _, caveat := range res.Caveats {
		if !slices.Contains(d.Caveats, caveat) {
			d.Caveats = append(d.Caveats, caveat)
		}
	}
	NoteGaps(d, used...)
	if d.Timeline = res.Timeline; d.Timeline != nil {
		d.Timeline.Answer += lease.Nobody(d)
	}
	d.Sum()
	return d, used, err
}

// below finds what the target scales, as it is in a View; nil for controllers that
// scale nothing whose own controller is simulated.
func (c Controller) below(prof profile.Profile, t Target) simulate.Below {
	if len(c.Scales) == 0 {
		return nil
	}
	return func(v *view.View) (all []simulate.Dependent) {
		owner, ok := v.Held(t.Kind, t.Namespace, t.Name)
		if !ok {
			return nil
		}
		for _, k := range c.Scales {
			of, kind, modelled := c.others.first(func(one view.Kind) bool { return one.GroupKind() == k.GroupKind() })
			if !modelled || of.Step == nil {
				continue
			}
			for _, obj := range v.AllMetadata(k) {
				if metav1.IsControlledBy(obj, owner) {
					at := Target{Kind: kind, Namespace: obj.GetNamespace(), Name: obj.GetName()}
					all = append(all, simulate.Dependent{Name: at.Name, Sync: func(r *view.Reader) (*simulate.Sync, error) { return of.Step(r, prof, at) }})
				}
			}
		}
		return all
	}
}

// notSimulated is the error for targets whose controller is not simulated.
func (c Controller) notSimulated(t Target) error {
	asked := fmt.Sprintf("%s/%s/%s: the rounds of a %s are not simulated", t.Kind.Resource, t.Namespace, t.Name, t.Kind.Kind)
	return fmt.Errorf("%s: ask for its next step without --rounds and --until-stable", asked)
}
