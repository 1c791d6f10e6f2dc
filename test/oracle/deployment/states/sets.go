package states

import (
	"fmt"
	"maps"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// drawSets draws the ReplicaSets, the first one mostly with the Deployment's
// template.
func (s *scene) drawSets(d *appsv1.Deployment) []*appsv1.ReplicaSet {
	n := mostly(s.draw, s.between(1, 4), 15, 0, 7, 14)
	var sets []*appsv1.ReplicaSet
	for i := range n {
		sets = append(sets, s.drawSet(d, i))
	}
	return sets
}

func (s *scene) drawSet(d *appsv1.Deployment, i int) *appsv1.ReplicaSet {
	rs := &appsv1.ReplicaSet{}
	rs.Name, rs.Namespace = fmt.Sprintf("web-%c", 'a'+i), Namespace
	rs.UID, rs.ResourceVersion = types.UID("uid-"+rs.Name), fmt.Sprint(200+i)
	rs.Generation = int64(s.between(1, 3))
	rs.CreationTimestamp = ago(60 * mostly(s.draw, i+1, 25, 1, 2))
	rs.Labels = map[string]string{"app": mostly(s.draw, "web", 7, "blog"), "pod-template-hash": rs.Name[4:]}
	rs.OwnerReferences = s.owners()
	rs.Annotations = s.setAnnotations(d)
	version := i
	if s.chance(8) {
		version = 0
	}
	if s.chance(20) {
		version += 3
	}
	template := s.template(version)
	template.Labels["pod-template-hash"] = rs.Name[4:]
	rs.Spec = appsv1.ReplicaSetSpec{
		Replicas: new(s.size(*d.Spec.Replicas)), MinReadySeconds: mostly(s.draw, d.Spec.MinReadySeconds, 5, 7),
		Selector: &metav1.LabelSelector{MatchLabels: maps.Clone(rs.Labels)}, Template: template,
	}
	s.setStatus(rs)
	if s.chance(4) {
		rs.DeletionTimestamp = new(ago(-30))
		rs.Finalizers = []string{"foregroundDeletion"}
	}
	return rs
}

func (s *scene) size(desired int32) int32 {
	return pick(s.draw, 0, desired, s.some(0, 3), s.some(0, 10), 0, desired/2, desired/3)
}

func reference(name string, id types.UID) []metav1.OwnerReference {
	return []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "Deployment", Name: name, UID: id, Controller: new(true), BlockOwnerDeletion: new(true)}}
}

func owned() []metav1.OwnerReference { return reference(Name, uid) }

func (s *scene) owners() []metav1.OwnerReference {
	return mostly(s.draw, owned(), 12, nil, reference("blog", "uid-blog"), reference("blog", uid),
		append(owned(), reference("blog", "uid-blog")...), append(reference("blog", "uid-blog"), owned()...))
}

func (s *scene) setAnnotations(d *appsv1.Deployment) map[string]string {
	all := map[string]string{}
	if s.chance(90) {
		all[revisionKey] = pick(s.draw, "1", "2", "3", "4", "x", "", "-1", "+2", "02", "9223372036854775807", "9223372036854775808")
	}
	if s.chance(25) {
		all[historyKey] = pick(s.draw, s.long(), "1", "1,2", "", ",", "x,,y")
	}
	if s.chance(85) {
		all[desiredKey] = mostly(s.draw, fmt.Sprint(*d.Spec.Replicas), 20, "0", "3", "8", "-1", "x", "", "4294967295", "+3", "03", " 3", "3.0", "2147483647", "2147483648")
	}
	if s.chance(85) {
		all[maxKey] = mostly(s.draw, fmt.Sprint(*d.Spec.Replicas+1), 40, fmt.Sprint(*d.Spec.Replicas*5/4), "0", "3", "8", "12", "-1", "x", "", "+3", "2147483647", "2147483648")
	}
	if note, ok := d.Annotations["note"]; ok && s.chance(80) {
		all["note"] = note
	}
	return all
}

// long is a history at the limit.
func (s *scene) long() string {
	text := "1"
	for i := range s.between(650, 670) {
		text += fmt.Sprintf(",%d", 10+i%90)
	}
	return text
}

// setStatus is that of a set whose pods are as wanted, or anything.
func (s *scene) setStatus(rs *appsv1.ReplicaSet) {
	n, st := *rs.Spec.Replicas, &rs.Status
	st.ObservedGeneration, st.Replicas, st.ReadyReplicas, st.AvailableReplicas = rs.Generation, n, n, n
	if s.chance(50) {
		st.AvailableReplicas = s.some(0, int(n))
		st.ReadyReplicas = st.AvailableReplicas
	}
	if s.chance(15) {
		st.Replicas, st.ReadyReplicas, st.AvailableReplicas = s.some(0, 4), s.some(0, 4), s.some(0, 4)
	}
	if s.chance(5) {
		st.ObservedGeneration = int64(s.between(0, 1))
	}
	st.TerminatingReplicas = mostly(s.draw, new(int32(0)), 30, nil, new(int32(2)))
	if s.chance(8) {
		st.Conditions = []appsv1.ReplicaSetCondition{
			{Type: "Custom", Status: corev1.ConditionTrue, LastTransitionTime: ago(9)},
			{Type: appsv1.ReplicaSetReplicaFailure, Status: mostly(s.draw, corev1.ConditionTrue, 10, corev1.ConditionFalse), Reason: "FailedCreate", Message: "no quota in " + rs.Name, LastTransitionTime: ago(100)},
		}
	}
}

// drawPods draws pods of the sets, some with a reference that is not quite right.
func (s *scene) drawPods(sets []*appsv1.ReplicaSet) []*corev1.Pod {
	var pods []*corev1.Pod
	for _, rs := range sets {
		if !s.chance(30) {
			continue
		}
		p := &corev1.Pod{}
		p.Name, p.Namespace, p.UID = rs.Name+"-x", Namespace, types.UID("uid-"+rs.Name+"-x")
		p.Labels = map[string]string{"app": mostly(s.draw, "web", 15, "blog")}
		p.Status.Phase = pick(s.draw, corev1.PodRunning, corev1.PodSucceeded, corev1.PodFailed, corev1.PodPending, corev1.PodUnknown)
		if s.chance(30) {
			p.DeletionTimestamp = new(ago(-10))
		}
		p.OwnerReferences = []metav1.OwnerReference{{
			APIVersion: "apps/v1", Kind: mostly(s.draw, "ReplicaSet", 8, "Other"), Name: mostly(s.draw, rs.Name, 8, "other"),
			UID: mostly(s.draw, rs.UID, 8, "uid-other"), Controller: new(mostly(s.draw, true, 5, false)),
		}}
		pods = append(pods, p)
	}
	return pods
}
