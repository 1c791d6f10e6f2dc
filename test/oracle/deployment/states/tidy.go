package states

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
)

// tidy makes a state one that the controller has looked after, so that a sync
// gets beyond bookkeeping: revisions rise with age, and the newest set is up
// to date.
func (s *scene) tidy(d *appsv1.Deployment, sets []*appsv1.ReplicaSet) {
	if len(sets) == 0 {
		return
	}
	for i, rs := range sets {
		rs.OwnerReferences = owned()
		rs.Labels["app"] = "web"
		rs.Annotations[revisionKey] = fmt.Sprint(len(sets) - i)
		rs.Spec.MinReadySeconds = d.Spec.MinReadySeconds
		if !s.chance(20) {
			rs.Annotations[desiredKey] = fmt.Sprint(*d.Spec.Replicas)
		}
	}
	if !s.chance(15) {
		delete(d.Annotations, appsv1.DeprecatedRollbackTo)
	}
	if d.Annotations == nil {
		d.Annotations = map[string]string{}
	}
	d.Annotations[revisionKey] = fmt.Sprint(len(sets))
	delete(d.Annotations, "note")
	if note, ok := sets[0].Annotations["note"]; ok {
		d.Annotations["note"] = note
	}
}

// wait lets time pass since the last progress.
func (s *scene) wait(d *appsv1.Deployment) {
	for i := range d.Status.Conditions {
		c := &d.Status.Conditions[i]
		if c.Type == appsv1.DeploymentProgressing {
			c.LastUpdateTime = ago(int(min(*d.Spec.ProgressDeadlineSeconds, 700)) + pick(s.draw, -1, 0, 1, -2, -9))
		}
	}
}
