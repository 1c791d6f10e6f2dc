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
	s := &sync{r: r, profile: p, behaviour: behaviourOf(p, set.isRC()), set: set, now: r.Now()}
	switch {
	case set.DeletionTimestamp != nil && set.invalid != nil:
		return health.Deleted(set.ref, set, nil)
	case set.DeletionTimestamp != nil:
		return health.Deleted(set.ref, set, health.Remaining(r, s.controlled(), s.options()))
	case set.invalid != nil:
		return health.Assessment{Causes: []decision.Cause{unusable(set)}}
	}
	if s.d = d; r.Closely() {
		ownership.NoteOverlap(d, "Pod", slices.DeleteFunc(s.matching(), func(p *corev1.Pod) bool { return !isActive(p) }))
		s.leftBehind()
		health.NoteEnded(d, s.controlled())
	}
	return s.assess()
}

// leftBehind warns of a ReplicaSet that a Deployment made and that none owns or adopts.
func (s *sync) leftBehind() {
	hash, made := s.set.Labels[appsv1.DefaultDeploymentUniqueLabelKey]
	if !made || metav1.GetControllerOfNoCopy(s.set) != nil || s.set.isRC() {
		return
	}
	if by, n := adopters(s.r, s.set); n == 0 && len(by) == 0 {
		s.d.AddCaveat("LeftBehind", fmt.Sprintf(
			"made by a Deployment (pod-template-hash=%s), and no Deployment owns it: one whose selector matches its labels adopts it, and until then nothing rolls it out or removes it", hash))
	}
}

// unusable is the cause of a set whose selector does not parse.
func unusable(set *set) decision.Cause {
	return health.Options{}.Judge(decision.Cause{
		Object: set.ref, Reason: InvalidSelector, Label: "its selector is invalid", Message: set.invalid.Error(), Evidence: "spec.selector",
	}, health.CreateForbidden, time.Time{})
}

func (s *sync) assess() health.Assessment {
	pods, o := s.controlled(), s.options()
	n := health.Count(pods, s.set.want(), o)
	causes := health.Creations(s.r, s.creator(pods, n), o)
	if s.d.Summary.Delete() > 0 {
		causes = append(causes, s.surplus().Refused(s.r, o)...)
	}
	return health.Assessment{Replicas: n, Causes: append(causes, health.Pods(s.r, pods, o)...)}
}

// controlled are its Pods, those among them that are being deleted or have ended.
func (s *sync) controlled() []*corev1.Pod {
	return view.ListControlledBy[*corev1.Pod](s.r, s.podsNeed(), s.set.selector, s.set.UID)
}

func (s *sync) options() health.Options {
	return health.Options{Now: s.now, MinReady: time.Duration(s.set.Spec.MinReadySeconds) * time.Second, Exact: s.behaviour.precise}
}

// creator is the set as one that creates what is missing.
func (s *sync) creator(pods []*corev1.Pod, n *decision.Replicas) health.Creator {
	return health.Creator{
		Kind: s.set.kind, Object: s.set, Missing: n.Desired - n.Current, Pods: pods,
		Pod: s.newPod(), Features: admission.FeaturesOf(s.profile.Kubernetes), Events: s.failedCreates(),
		Failed: s.failing(failedCreate),
	}
}

// surplus is the deletion of the Pods that are too many. Each sync writes the condition anew
// (calculateStatus of replica_set_utils.go, v1.37.1).
func (s *sync) surplus() health.Attempt {
	a := health.Deletions(s.set.kind, s.set)
	a.Stored = s.failing(health.FailedDelete)
	return a
}

// failing is the condition that what its reason says fails; nil for none.
func (s *sync) failing(reason string) *health.Failed {
	if f := replicaFailure(s.set.Status.Conditions); f != nil && f.Reason == reason {
		return &health.Failed{Since: f.LastTransitionTime.Time, Message: f.Message}
	}
	return nil
}
