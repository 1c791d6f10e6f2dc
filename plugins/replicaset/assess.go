package replicaset

import (
	"fmt"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// assess finds out why Pods of the target are missing or not available.
func assess(r *view.Reader, p profile.Profile, t view.Target, d *decision.Decision) health.Assessment {
	set, err := load(r, t)
	if err != nil {
		return health.Unassessed()
	}
	a := assessor{targetOf(r, p, set), d}
	switch {
	case set.DeletionTimestamp != nil && set.invalid != nil:
		return health.Deleted(set.ref, set, nil)
	case set.DeletionTimestamp != nil:
		return health.Deleted(set.ref, set, health.Remaining(r, a.controlled(), a.options()))
	case set.invalid != nil:
		return health.Assessment{Causes: []decision.Cause{unusable(set)}}
	}
	if r.Closely() {
		ownership.NoteOverlap(d, "Pod", slices.DeleteFunc(a.matching(), func(p *corev1.Pod) bool { return !isActive(p) }))
		a.leftBehind()
		health.NoteEnded(d, a.controlled())
	}
	return a.assess()
}

// assessor finds out how the Pods of a set stand that a decision is about.
type assessor struct {
	target
	d *decision.Decision
}

// leftBehind warns of a ReplicaSet that a Deployment made and that none owns or adopts.
func (a *assessor) leftBehind() {
	hash, made := a.set.Labels[appsv1.DefaultDeploymentUniqueLabelKey]
	if !made || metav1.GetControllerOfNoCopy(a.set) != nil || a.set.isRC() {
		return
	}
	if by, n := adopters(a.r, a.set); n == 0 && len(by) == 0 {
		a.d.AddCaveat("LeftBehind", fmt.Sprintf(
			"made by a Deployment (pod-template-hash=%s), and no Deployment owns it: one whose selector matches its labels adopts it, and until then nothing rolls it out or removes it", hash))
	}
}

// unusable is the cause of a set whose selector does not parse.
func unusable(set *set) decision.Cause {
	return health.Options{}.Judge(decision.Cause{
		Object: set.ref, Reason: InvalidSelector, Label: "its selector is invalid", Message: set.invalid.Error(), Evidence: "spec.selector",
	}, health.CreateForbidden, time.Time{})
}

func (a *assessor) assess() health.Assessment {
	pods, o := a.controlled(), a.options()
	n := health.Count(pods, a.set.want(), o)
	causes := health.Creations(a.r, a.creator(pods, n), o)
	if a.d.Summary.Delete() > 0 {
		causes = append(causes, a.surplus().Refused(a.r, o)...)
	}
	return health.Assessment{Replicas: n, Causes: append(causes, health.Pods(a.r, pods, o)...)}
}

// controlled are its Pods, those among them that are being deleted or have ended.
func (t *target) controlled() []*corev1.Pod {
	return view.ListControlledBy[*corev1.Pod](t.r, t.podsNeed(), t.set.selector, t.set.UID)
}

func (t *target) options() health.Options {
	return health.Options{Now: t.now, MinReady: time.Duration(t.set.Spec.MinReadySeconds) * time.Second, Exact: t.behaviour.precise}
}

// creator is the set as one that creates what is missing.
func (t *target) creator(pods []*corev1.Pod, n *decision.Replicas) health.Creator {
	return health.Creator{
		Kind: t.set.kind, Object: t.set, Missing: n.Desired - n.Current, Pods: pods,
		Pod: t.newPod(), Features: admission.FeaturesOf(t.profile.Kubernetes), Events: t.failedCreates(),
		Failed: t.failing(failedCreate),
	}
}

// surplus is the deletion of the Pods that are too many. Each sync writes the condition anew
// (calculateStatus of replica_set_utils.go, v1.37.1).
func (t *target) surplus() health.Attempt {
	a := health.Deletions(t.set.kind, t.set)
	a.Stored = t.failing(health.FailedDelete)
	return a
}

// failing is the condition that what its reason says fails; nil for none.
func (t *target) failing(reason string) *health.Failed {
	if f := replicaFailure(t.set.Status.Conditions); f != nil && f.Reason == reason {
		return &health.Failed{Since: f.LastTransitionTime.Time, Message: f.Message}
	}
	return nil
}
