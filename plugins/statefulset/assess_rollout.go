package statefulset

import (
	"fmt"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
)

// rolledOver parts from the causes of Pods those of Pods that hold up nothing: those that the rollout
// replaces, while it waits for one that it has updated (the end of updateStatefulSet,
// stateful_set_control.go, v1.37.1), and those beyond the ordinals, while all waits for one that is
// not (processCondemned, same file). One on a lost node does, whose deletion nothing confirms.
func (a *assessor) rolledOver(ofPods []decision.Cause) []decision.Cause {
	spared := a.spared()
	var fresh, before []decision.Cause
	for _, c := range ofPods {
		if !c.Root && slices.ContainsFunc(spared, func(p *pod) bool { return p.Name == c.Object.Name && !p.terminating() }) {
			c.Blocked, c.BlockedAt, c.Replaced, c.Follows = false, time.Time{}, true, true
			before = append(before, c)
		} else {
			fresh = append(fresh, c)
		}
	}
	return append(fresh, before...)
}

// spared are the Pods that hold up nothing whatever is wrong with them.
func (a *assessor) spared() (all []*pod) {
	beyond := func(h held) bool { return a.beyond(h.pod.ordinal) }
	if len(a.held) > 0 && !slices.ContainsFunc(a.held, beyond) {
		all = append(all, a.condemned...)
	}
	if slices.ContainsFunc(a.held, func(h held) bool { return h.rule == WaitUpdated && !a.old(h.pod) }) {
		for _, p := range a.targets() {
			if a.old(p) {
				all = append(all, p)
			}
		}
	}
	return all
}

// blockers are the causes that Pods of an old revision hold up their own update: what
// replaces them waits for them to be available (kubernetes#67250, #137409). Each is said at
// once, and blocks when the Pod's own cause does. One that only starts, or gets its missing
// claim in this sync, is no such Pod.
func (a *assessor) blockers(ofPods []decision.Cause) (causes []decision.Cause) {
	usedUp := a.usedUpByOld()
	for _, h := range a.held {
		p := h.pod
		blocks := h.rule == WaitReady || h.rule == UnavailableUsedUp && usedUp
		i := slices.IndexFunc(ofPods, func(of decision.Cause) bool {
			return of.Object.Name == p.Name && !of.Root && (of.Blocked || !health.Passes(of))
		})
		if !blocks || p.terminating() || a.volumes.made[p.Name] || i < 0 {
			continue
		}
		next := a.missing(p.ordinal)
		if p.revision == next.revision || a.mayBeUpdated(p) || a.onDelete() { // which updates none, ready or not
			continue
		}
		if failsAlike(p.Pod, next.Pod, ofPods[i]) {
			continue
		}
		why := &ofPods[i]
		why.Named = true
		c := a.blocker(p, h.rule, why.Label)
		c.Root = true
		causes = append(causes, a.replaced(p, timed(c, ofPods)))
	}
	return causes
}

// usedUpByOld reports whether Pods of other revisions alone use maxUnavailable up: while one of
// the update revision is among those that do, the update goes on once that is available.
func (a *assessor) usedUpByOld() bool {
	n := 0
	for _, h := range a.held {
		if h.rule == UnavailableUsedUp && a.old(h.pod) && !h.pod.terminating() {
			n++
		}
	}
	return n >= maxUnavailable(a.set)
}

// blocker is the cause that a Pod of another revision than it would be created with is not
// available, which the rule waits for. Below the partition no update replaces it
// (stateful_set_control.go updateStatefulSet, v1.37.1).
func (a *assessor) blocker(p *pod, rule, why string) decision.Cause {
	if a.keepsCurrent(p.ordinal) {
		return decision.Cause{
			Object: p.ref(), Reason: PartitionKeeps, Label: p.Name + " keeps revision " + p.revision + ": " + why,
			Briefs:   []string{p.Name + " keeps its revision: " + why, p.Name + " keeps its revision"},
			Message:  fmt.Sprintf("partition %d keeps %s from every update: delete it", partition(a.set), p.Name),
			Evidence: "spec.updateStrategy.rollingUpdate.partition",
		}
	}
	waits := fmt.Sprintf("the controller waits for %s to be ready before it updates any Pod, this one included: delete it", p.Name)
	if rule == UnavailableUsedUp {
		waits = fmt.Sprintf("Pods of other revisions that are unavailable use up maxUnavailable %d, and no Pod is updated, this one included: delete it", maxUnavailable(a.set))
	}
	return decision.Cause{
		Object: p.ref(), Reason: "OldRevisionBlocksUpdate", Label: p.Name + " of revision " + p.revision + " blocks its own update: " + why,
		Briefs:   []string{p.Name + " blocks its own update: " + why, p.Name + " blocks updates: " + why, p.Name + " blocks its own update"},
		Message:  waits,
		Evidence: "metadata.labels[controller-revision-hash]",
	}
}

// tellUnreached says of the Pod that OrderedReady waits for, where it is of the revision
// that is rolled out, that a corrected template does not replace it (kubernetes#67250). While
// another Pod of that revision is available, the template is not what is wrong.
func (a *assessor) tellUnreached(ofPods []decision.Cause) {
	for _, h := range a.held {
		p := h.pod
		works := func(other *pod) bool { return other.available && other.revision == p.revision }
		if h.rule != WaitReady || a.onDelete() || a.old(p) || p.ordinal-a.first() < partition(a.set) || slices.ContainsFunc(a.replicas, works) {
			continue
		}
		for i := range ofPods {
			if c := &ofPods[i]; c.Object.Name == p.Name && c.Container != "" && c.Blocked {
				c.Message += "; after the template is corrected, delete the Pod as well: OrderedReady waits for it first"
			}
		}
	}
}

// timed is a cause about a Pod that blocks when the Pod's own does.
func timed(c decision.Cause, ofPods []decision.Cause) decision.Cause {
	i := slices.IndexFunc(ofPods, func(of decision.Cause) bool { return of.Object.Name == c.Object.Name })
	if i >= 0 {
		c.Since, c.BlockedAt, c.Blocked, c.Class, c.Began = ofPods[i].Since, ofPods[i].BlockedAt, ofPods[i].Blocked, ofPods[i].Class, ofPods[i].Began
	}
	return c
}

// kept are the causes that the spec keeps Pods which are not available from the revision
// that is rolled out: OnDelete any Pod, and a partition those that a rollback is to reach.
func (a *assessor) kept(ofPods []decision.Cause) (causes []decision.Cause) {
	if a.history.update == nil {
		return nil
	}
	for _, p := range a.outdated() {
		if !p.wanting(a.behaviour) || !a.replaceable(p, ofPods) {
			continue
		}
		c := decision.Cause{Object: p.ref()}
		switch {
		case a.onDelete():
			c.Reason, c.Label, c.Evidence = OnDeleteKeeps, "OnDelete: "+p.Name+" not updated", "spec.updateStrategy.type"
			c.Message = "OnDelete updates no Pod: delete " + p.Name
			causes = append(causes, a.replaced(p, timed(c, ofPods)))
			continue
		case a.missing(p.ordinal).revision == p.revision && a.rollsBack(p):
			a.keptBack(p, &c)
		default:
			continue
		}
		causes = append(causes, timed(c, ofPods))
	}
	return causes
}

// replaced says what becomes of the Pod of a cause when it is deleted.
func (a *assessor) replaced(p *pod, c decision.Cause) decision.Cause {
	after, revision := "", a.missing(p.ordinal).revision
	if a.r.WhatIf() && revision != a.set.Status.UpdateRevision { // until then, it would be created as it is
		after = " # after the change is applied"
		c.Message += " after the change is applied"
	}
	c.Message += fmt.Sprintf(", and it is created again of revision %s", revision)
	c.Next = fmt.Sprintf("kubectl delete pod %s -n %s%s", p.Name, a.set.Namespace, after)
	for claim := range a.volumes.claimsOf(p) {
		if a.volumes.goesWith(claim, p.Name) {
			c.Message += "; PVC " + claim.GetName() + " is being deleted, and is removed after it"
			c.Next = fmt.Sprintf("kubectl describe pvc %s -n %s", claim.GetName(), a.set.Namespace)
		}
	}
	return c
}

// replaceable reports whether to delete a Pod is of use: what is wrong with it does not
// end by itself, nor is it wrong with what replaces it, and is not that its node is lost,
// which confirms no deletion.
func (a *assessor) replaceable(p *pod, ofPods []decision.Cause) bool {
	return slices.ContainsFunc(ofPods, func(of decision.Cause) bool {
		return of.Object.Name == p.Name && of.Blocked && !of.Root && !failsAlike(p.Pod, a.missing(p.ordinal).Pod, of)
	})
}

// keptBack says that the partition keeps a Pod from a rollback, and what changes that.
func (a *assessor) keptBack(p *pod, c *decision.Cause) {
	most := p.ordinal - a.first()
	c.Reason, c.Label, c.Evidence = PartitionKeeps, fmt.Sprintf("partition %d keeps %s from the rollback", partition(a.set), p.Name), "spec.updateStrategy.rollingUpdate.partition"
	c.Briefs = []string{fmt.Sprintf("partition %d keeps %s", partition(a.set), p.Name)}
	c.Message = fmt.Sprintf("partition %d keeps %s at revision %s, also when it is deleted: with partition %s it is updated to %s", partition(a.set), p.Name, p.revision, upTo(most), a.history.update.Name)
	if a.ordered() {
		c.Message += ", once it is ready or deleted"
	}
	c.Next = fmt.Sprintf("kubectl ctrl plan %s --partition %d -n %s", a.ref, most, a.set.Namespace)
}

func upTo(most int) string {
	if most == 0 {
		return "0"
	}
	return fmt.Sprintf("%d or less", most)
}

// rollsBack reports whether the revision that is rolled out is older than that of a Pod.
func (a *assessor) rollsBack(p *pod) bool {
	i := slices.IndexFunc(a.history.listed, func(cr *appsv1.ControllerRevision) bool { return cr.Name == p.revision })
	return i >= 0 && a.history.update.CreationTimestamp.Before(&a.history.listed[i].CreationTimestamp)
}

// freed says of Pods that a lost node keeps from being removed what frees their names.
func freed(ofPods []decision.Cause) []decision.Cause {
	for i := range ofPods {
		if c := &ofPods[i]; c.Root && health.Class(c.Class) == health.Deletion {
			c.Message += "; its name is free when the node is back, when the node is shut down and gets the taint " + corev1.TaintNodeOutOfService +
				", or after kubectl delete pod --force, which risks two running Pods of one identity"
		}
	}
	return ofPods
}
