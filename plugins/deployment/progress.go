package deployment

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// deadlineExceeded is the reason of the condition Progressing once the deadline has
// passed (TimedOutReason of util/deployment_util.go, v1.37.1).
const deadlineExceeded = "ProgressDeadlineExceeded"

// judgeProgress sets the condition, and returns what is new about it, empty for nothing.
func (s *sync) judgeProgress(next *appsv1.DeploymentStatus) (news string) {
	if !hasDeadline(s.d) {
		next.Conditions = without(next.Conditions, appsv1.DeploymentProgressing)
		return ""
	}
	was := condition(s.d.Status.Conditions, appsv1.DeploymentProgressing)
	if next.Replicas == next.UpdatedReplicas && was != nil && was.Reason == "NewReplicaSetAvailable" {
		return ""
	}
	switch {
	case isComplete(s.d, *next):
		s.setCondition(next, s.progressing(corev1.ConditionTrue, "NewReplicaSetAvailable", s.about("has successfully progressed.")))
		return RolloutComplete
	case isProgressing(s.d.Status, *next):
		s.noteProgress(next, was)
		return RolloutProgressing
	case s.isTimedOut(*next):
		s.setCondition(next, s.progressing(corev1.ConditionFalse, deadlineExceeded, s.about("has timed out progressing.")))
		return RolloutTimedOut
	}
	return ""
}

// noteProgress renews the condition even when its reason stays, so that the
// deadline counts from now.
func (s *sync) noteProgress(next *appsv1.DeploymentStatus, was *appsv1.DeploymentCondition) {
	c := s.progressing(corev1.ConditionTrue, "ReplicaSetUpdated", s.about("is progressing."))
	if was != nil && was.Status == corev1.ConditionTrue {
		c.LastTransitionTime = was.LastTransitionTime
	}
	if was != nil {
		next.Conditions = without(next.Conditions, appsv1.DeploymentProgressing)
	}
	s.setCondition(next, c)
}

func (s *sync) about(what string) string {
	if s.sets.newRS != nil {
		return fmt.Sprintf("ReplicaSet %q %s", s.sets.newRS.Name, what)
	}
	return fmt.Sprintf("Deployment %q %s", s.d.Name, what)
}

// isComplete mirrors DeploymentComplete (util/deployment_util.go, v1.37.1).
func isComplete(d *appsv1.Deployment, s appsv1.DeploymentStatus) bool {
	want := *d.Spec.Replicas
	return s.UpdatedReplicas == want && s.Replicas == want && s.AvailableReplicas == want && s.ObservedGeneration >= d.Generation
}

// isProgressing mirrors DeploymentProgressing: more new, ready or available
// pods than reported, or fewer old ones.
func isProgressing(was, is appsv1.DeploymentStatus) bool {
	return is.UpdatedReplicas > was.UpdatedReplicas ||
		is.Replicas-is.UpdatedReplicas < was.Replicas-was.UpdatedReplicas ||
		is.ReadyReplicas > was.ReadyReplicas || is.AvailableReplicas > was.AvailableReplicas
}

// isTimedOut mirrors DeploymentTimedOut.
func (s *sync) isTimedOut(next appsv1.DeploymentStatus) bool {
	c := condition(next.Conditions, appsv1.DeploymentProgressing)
	switch {
	case c == nil || c.Reason == "NewReplicaSetAvailable":
		return false
	case c.Reason == deadlineExceeded:
		return true
	}
	return s.deadline(c).Before(s.now)
}

// deadline is until when progress has to be seen.
func (s *sync) deadline(c *appsv1.DeploymentCondition) time.Time {
	return c.LastUpdateTime.Add(time.Duration(*s.d.Spec.ProgressDeadlineSeconds) * time.Second)
}

// checkLater mirrors requeueStuckDeployment: a rollout that has not moved is
// looked at again a second after its deadline. It is nil where it is not.
func (s *sync) checkLater(next appsv1.DeploymentStatus) *decision.Next {
	c := condition(s.d.Status.Conditions, appsv1.DeploymentProgressing)
	if !hasDeadline(s.d) || c == nil || isComplete(s.d, next) || c.Reason == deadlineExceeded {
		return nil
	}
	after := s.deadline(c).Sub(s.now)
	if after < time.Second {
		return &decision.Next{Ruling: decision.Ruled(ProgressCheckNow)}
	}
	after += time.Second // against skew of milliseconds
	return &decision.Next{
		After: after,
		Ruling: decision.Ruled(ProgressCheck, decision.F(keyAfter, after.String()), decision.F(keyAt, format.Instant(s.now.Add(after))),
			decision.At(keyProgressDeadlineSeconds, *s.d.Spec.ProgressDeadlineSeconds, "spec.progressDeadlineSeconds"),
			decision.At(keyLastUpdateTime, format.Instant(c.LastUpdateTime.Time), "status.conditions[Progressing].lastUpdateTime")),
	}
}
