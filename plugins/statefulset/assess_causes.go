package statefulset

import (
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// own is a cause in the StatefulSet itself.
func (a *assessor) own(label, message, evidence string) decision.Cause {
	return a.options.Judge(decision.Cause{
		Object: a.ref, Reason: a.out.Gate.Rule, Label: label, Message: message, Evidence: evidence,
		Next: fmt.Sprintf("kubectl describe %s -n %s", a.ref, a.set.Namespace),
	}, health.CreateForbidden, time.Time{})
}

// failing are the causes that the sync ends in an error.
func (a *assessor) failing() []decision.Cause {
	if a.err == nil || errors.Is(a.err, cluster.ErrConflict) || a.belowZero && errors.Is(a.err, cluster.ErrInvalid) { // the next sync succeeds
		return health.Creations(a.r, a.creator, a.options)
	}
	if causes := append(a.claimsGoing(), a.unmounted()...); len(causes) > 0 {
		return causes
	}
	for _, e := range a.out.Evidence {
		switch e.Rule {
		case NameInUse:
			return []decision.Cause{a.nameInUse(e)}
		case LabelTooLong:
			c := a.own("its name is too long for its Pods", Rules.Say(e.Rule, e.Facts)+": recreate the StatefulSet under a name of at most 52 characters", "metadata.name")
			c.Stops = true
			return []decision.Cause{c}
		}
	}
	if causes := health.Creations(a.r, a.creator, a.options); len(causes) > 0 {
		return causes
	}
	c := a.own("the sync fails", a.err.Error(), "the predicted sync")
	if a.out.Gate.Open {
		c.Reason = RetryWithBackoff
	}
	health.OfQuota(&c, a.refused)
	c.Stops = true
	return []decision.Cause{c}
}

// nameInUse is the cause that a Pod can't be created because one of its name exists: one of
// another controller, one without a controller, one that this sync releases, or, in a file,
// its own without a phase, which the controller takes for one that is still to be created.
func (a *assessor) nameInUse(e decision.Evidence) decision.Cause {
	name := e.Source.Name
	c := a.own("another Pod has the name "+name, Rules.Say(e.Rule, e.Facts), "metadata.name")
	c.Object, c.Reason, c.Stops = e.Source, NameInUse, true
	c.Next = fmt.Sprintf("kubectl ctrl owners %s -n %s", e.Source, a.set.Namespace)
	switch p, found := a.podNamed(name); {
	case !found:
	case a.keeps(p):
		c.Label, c.Message, c.Evidence = name+" has no status.phase", "the controller takes a Pod without a phase for one that is still to be created", "status.phase"
		c.Next = fmt.Sprintf("kubectl get pod %s -n %s -o yaml", name, a.set.Namespace)
	case p.DeletionTimestamp != nil:
		c.Label = "another Pod has the name " + name + " and is being deleted"
		c = a.options.Judge(c, health.Deletion, p.DeletionTimestamp.Time)
		c.Next = fmt.Sprintf("kubectl ctrl explain %s -n %s", e.Source, a.set.Namespace)
	case a.controls(p):
		c.Label, c.Evidence = "labels of "+name+" no longer match", "metadata.labels"
		c.Message = "it is released, and keeps its name: restore its labels, and it is adopted, or delete it, and it is created again"
	case a.outlives(p):
		c.Label = "another Pod has the name " + name + ", and the garbage collector deletes it"
		c.Briefs = []string{"the garbage collector deletes " + name}
		c.Message = "its owner has another UID than its ownerReference says: the garbage collector deletes it, and then " + name + " is created"
		c.Evidence = "metadata.ownerReferences"
		c = a.options.Judge(c, health.Step, time.Time{})
	case metav1.GetControllerOfNoCopy(p) == nil:
		c.Message, c.Evidence = "it has no controller, and its labels don't match the selector: give it labels that do, and it is adopted, or delete it, and it is created again", "metadata.labels"
		c.Next = fmt.Sprintf("kubectl get pod %s -n %s --show-labels", name, a.set.Namespace)
	}
	return c
}

// unmounted are the causes that Pods lack volumes of claims, which can't be added to them.
func (a *assessor) unmounted() (causes []decision.Cause) {
	for _, e := range a.out.Evidence {
		if e.Rule != VolumesCantChange {
			continue
		}
		name := e.Source.Name
		c := a.own(name+" lacks the volume of PVC "+e.Facts.Str(keyClaims), "the volumes of a Pod are immutable: delete it, and it is created again with them", "spec.volumes")
		c.Object, c.Reason, c.Stops, c.Briefs = e.Source, VolumesCantChange, true, []string{name + " lacks a volume"}
		c.Next = fmt.Sprintf("kubectl delete pod %s -n %s", name, a.set.Namespace)
		causes = append(causes, c)
	}
	return causes
}

// claimsGoing are the causes that volume claims are being deleted which Pods need. A Pod
// that uses its claim keeps it from being deleted.
func (a *assessor) claimsGoing() (causes []decision.Cause) {
	for _, e := range a.out.Evidence {
		if e.Rule != ClaimBeingDeleted {
			continue
		}
		name := e.Facts.Str(keyPod)
		c := decision.Cause{
			Object: e.Source, Reason: ClaimBeingDeleted, Label: "PersistentVolumeClaim " + e.Source.Name + " is being deleted", Stops: true,
			Briefs:  []string{"PVC " + e.Source.Name + " is being deleted"},
			Message: name + " is not created before it is gone", Evidence: "metadata.deletionTimestamp",
			Next: fmt.Sprintf("kubectl describe pvc %s -n %s", e.Source.Name, a.set.Namespace),
		}
		began, class, claim := time.Time{}, health.Deletion, a.volumes.stored(e.Source.Name)
		own := slices.IndexFunc(a.pods, func(p *corev1.Pod) bool { return p.Name == name })
		if own >= 0 {
			c.Message = name + " can't use it, and a new one is created only when it is gone"
		}
		if claim != nil {
			began = claim.GetDeletionTimestamp().Time
		}
		switch user, others := a.volumes.keepers(claim, name); {
		case user != "":
			c.Label, c.Briefs = c.Label+", and Pod "+user+" uses it", append([]string{"PVC " + e.Source.Name + " is used by Pod " + user}, c.Briefs...)
			c.Message += ", and it stays as long as pod/" + user + " uses it"
			c.Next = health.ExplainPod(a.set.Namespace, user)
		case len(others) > 0:
			c.Message += "; finalizers: " + format.Some(others, len(others))
		case own >= 0 && view.KeepsClaim(a.pods[own], e.Source.Name):
			class = health.CreateForbidden // no time ends that
			c.Message = name + " uses it, so that it stays: delete the Pod, and both are created again, the PVC without its data"
			c.Next = fmt.Sprintf("kubectl delete pod %s -n %s", name, a.set.Namespace)
		}
		c.Since = began
		causes = append(causes, a.options.Judge(c, class, began))
	}
	return causes
}

// ended are the causes that a Pod beyond the ordinals has ended, which is never available
// again and is not deleted as long as one above it is not available either.
func (a *assessor) ended() (causes []decision.Cause) {
	for _, h := range a.held {
		p := h.pod
		if h.rule != WaitBeforeDelete || !view.Ended(p.Pod) || p.terminating() {
			continue
		}
		phase := string(p.Status.Phase)
		c := a.own(phase+" "+p.Name+" blocks further deletions",
			"the controller waits for "+p.Name+" to be available, which a Pod that is "+phase+" never is: delete it", "status.phase")
		c.Object, c.Reason, c.Stops = p.ref(), WaitBeforeDelete, true
		c.Next = fmt.Sprintf("kubectl delete pod %s -n %s", p.Name, a.set.Namespace)
		causes = append(causes, c)
	}
	return causes
}

// misnamed are the causes that the ordinal of a Pod is written with zeros before it: the
// controller looks for another name, and where that Pod exists too, at one of the two.
func (a *assessor) misnamed() (causes []decision.Cause) {
	for _, p := range a.padded {
		n := ordinalOf(p.Name)
		if p.DeletionTimestamp != nil || a.beyond(n) {
			continue
		}
		want := podName(a.set, n)
		c := a.own(p.Name+" has the ordinal of "+want, "the controller looks for "+want+" and never creates "+p.Name+": delete it", "metadata.name")
		c.Object, c.Reason, c.Stops = ownership.RefTo(view.Pods, p), "OrdinalShared", true
		c.Next = fmt.Sprintf("kubectl delete pod %s -n %s", p.Name, a.set.Namespace)
		causes = append(causes, c)
	}
	return causes
}

// stale are the causes that claims of earlier Pods are still there.
func (a *assessor) stale() (causes []decision.Cause) {
	for _, e := range a.out.Evidence {
		if e.Rule == StaleClaim {
			causes = append(causes, a.options.Judge(decision.Cause{
				Object: e.Source, Reason: StaleClaim, Label: "PersistentVolumeClaim " + e.Source.Name + " belongs to an earlier Pod", Stops: true,
				Briefs:  []string{"PVC " + e.Source.Name + " belongs to an earlier Pod"},
				Message: "the garbage collector deletes it, and then " + e.Facts.Str(keyPod) + " is created", Evidence: "metadata.ownerReferences",
				Next: fmt.Sprintf("kubectl describe pvc %s -n %s", e.Source.Name, a.set.Namespace),
			}, health.Step, time.Time{}))
		}
	}
	return causes
}
