package trace

import (
	"slices"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/expectations"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// renewal is how long a leader that is well may be silent: it renews its Lease
// every two seconds (RetryPeriod of leader election).
const renewal = 6 * time.Second

// evidence is what speaks for a reason why the target waits, as of now.
func (e *Engine) evidence(s *shadow) []decision.Evidence {
	all := e.leader(s)
	obj, there := e.cluster.Get(s.target.Kind, s.target.Namespace, s.target.Name)
	if !there {
		return all
	}
	d, err := e.decideFree(s, obj, nil)
	if err != nil {
		return all
	}
	s.refused = s.c.of.Agent.Refused(d, e.clock.Since(s.created))
	for _, found := range d.Evidence {
		if found.Source.Kind != view.Leases.Kind { // seen here without comparing clocks
			all = append(all, found)
		}
	}
	if !s.refused && !silent(all) {
		all = append(all, e.heldBack(s))
	}
	return all
}

// silent reports whether the manager itself is the reason.
func silent(all []decision.Evidence) bool {
	return slices.ContainsFunc(all, func(e decision.Evidence) bool { return e.Rule == ManagerSilent || e.Rule == ManagerLost })
}

// heldBack is what is left to suspect when the manager is well and nothing was
// refused: expectations, which nobody can read.
func (e *Engine) heldBack(s *shadow) decision.Evidence {
	found := decision.Evidence{Source: s.ref}
	told := decision.F(keyRefusals, e.refusals())
	switch {
	case s.c.of.Agent.NoTimeout:
		found.Ruling = decision.Ruled(ScaleExpectationSuspected, told)
	case !s.lastAct.IsZero() && e.clock.Since(s.lastAct) < expectations.Timeout:
		found.Ruling = decision.Ruled(ExpectationSuspected, told,
			decision.F(keyUntil, s.lastAct.Add(expectations.Timeout).UTC().Format(time.TimeOnly)))
	default:
		found.Ruling = decision.Ruled(NothingSuspected, told)
	}
	found.Message = Rules.Say(found.Rule, found.Facts)
	return found
}

// refusals is what can be said of writes that were refused, when none was seen.
func (e *Engine) refusals() string {
	for _, k := range []view.Kind{view.Events, view.ResourceQuotas, view.LimitRanges} {
		if e.cluster.unreadable(view.Need{Kind: k}) != nil {
			return k.Resource + " can't be read, so what was refused is not known"
		}
	}
	return "nothing was refused"
}

// leader reports whether the controller's manager is alive. Its age counts from
// when the renewal was seen, so that no two clocks are compared.
func (e *Engine) leader(s *shadow) []decision.Evidence {
	need := s.c.of.Agent.Lease
	if e.o.Profile.Unelected && s.c.of.Agent.Manager == "kube-controller-manager" {
		return nil
	}
	obj, ok := e.cluster.Get(view.Leases, need.Namespace, need.Name)
	held, _ := obj.(*coordinationv1.Lease)
	if !ok || held == nil || held.Spec.RenewTime == nil {
		return nil
	}
	age := e.clock.Since(e.renewed[need.Namespace+"/"+need.Name]).Truncate(time.Second)
	rule, holder, valid := ManagerAlive, "", int32(15)
	if held.Spec.HolderIdentity != nil {
		holder = *held.Spec.HolderIdentity
	}
	if held.Spec.LeaseDurationSeconds != nil {
		valid = *held.Spec.LeaseDurationSeconds
	}
	lapsed := time.Duration(valid) * time.Second
	switch acted := e.clock.Since(s.c.lastAct); {
	case (holder == "" || age > lapsed) && !s.c.lastAct.IsZero() && acted < age-lapsed:
		rule = ManagerUnelected
	case holder == "" || age > lapsed:
		rule = ManagerLost
	case age > renewal:
		rule = ManagerSilent
	}
	r := decision.Ruled(rule, decision.F(keyAge, age.String()), decision.F(keyHolder, holder), decision.F(keyValid, int64(valid)),
		decision.F(keyActed, e.clock.Since(s.c.lastAct).Truncate(time.Second).String()))
	r.Message = Rules.Say(r.Rule, r.Facts)
	return []decision.Evidence{{Source: ownership.RefTo(view.Leases, held), Ruling: r}}
}

// noteRenewal remembers when a Lease was seen to be renewed.
func (e *Engine) noteRenewal(d Delta) {
	lease, ok := d.Object.(*coordinationv1.Lease)
	if !ok || lease.Spec.RenewTime == nil {
		return
	}
	at := e.clock.Now()
	if d.Initial && lease.Spec.RenewTime.Time.Before(at) {
		at = lease.Spec.RenewTime.Time
	}
	e.renewed[lease.Namespace+"/"+lease.Name] = at
}
