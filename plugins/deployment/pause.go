package deployment

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// notePause mirrors checkPausedConditions (sync.go, v1.37.1): while paused,
// and on resuming, the progress deadline starts anew. One that has passed
// already stays reported.
func (s *sync) notePause() error {
	if !hasDeadline(s.d) {
		return nil
	}
	cond := condition(s.d.Status.Conditions, appsv1.DeploymentProgressing)
	if cond != nil && cond.Reason == deadlineExceeded {
		return nil
	}
	noted := cond != nil && cond.Reason == "DeploymentPaused"
	switch {
	case s.d.Spec.Paused && !noted:
		s.setCondition(&s.d.Status, s.progressing(corev1.ConditionUnknown, "DeploymentPaused", "Deployment is paused"))
		return s.updateStatus(PauseNoted)
	case !s.d.Spec.Paused && noted:
		s.setCondition(&s.d.Status, s.progressing(corev1.ConditionUnknown, "DeploymentResumed", "Deployment is resumed"))
		return s.updateStatus(ResumeNoted)
	}
	return nil
}
