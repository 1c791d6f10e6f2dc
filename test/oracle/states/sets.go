package states

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// target is the set under test, its replicas and status still open.
func (s *scene) target() *appsv1.ReplicaSet {
	rs := &appsv1.ReplicaSet{ObjectMeta: s.meta(Name, setUID)}
	rs.Generation = int64(s.between(1, 3))
	if !s.chance(25) {
		rs.OwnerReferences = controlledBy("apps/v1", "Deployment", "shop", ownerUID)
	}
	if s.chance(5) {
		rs.DeletionTimestamp = new(ago(s.between(-30, 30)))
	}
	rs.Spec.Selector = s.selector(web, 12)
	rs.Spec.MinReadySeconds = mostly[int32](s.draw, 0, 45, 10, 1, 30, 3600)
	rs.Spec.Template.Labels = mostly(s.draw,
		map[string]string{labelApp: web}, 30,
		map[string]string{labelApp: web, labelTier: "front"}, nil)
	rs.Spec.Template.Spec.Containers = []corev1.Container{{Name: "main"}}
	s.dress(&rs.Spec.Template)
	return rs
}

// dress fills in what is copied from the template to new Pods.
func (s *scene) dress(t *corev1.PodTemplateSpec) {
	if s.chance(20) {
		t.Annotations = map[string]string{"note": "a", corev1.PodDeletionCost: "5"}
	}
	if s.chance(10) {
		t.Finalizers = []string{"example.com/hold"}
	}
	if s.chance(15) {
		t.Name, t.GenerateName, t.Namespace = "mine", "mine-", "elsewhere"
		t.OwnerReferences = controlledBy("batch/v1", "Job", "j", "uid-job")
	}
	if s.chance(20) {
		t.Spec.NodeName, t.Spec.InitContainers = "n1", []corev1.Container{{Name: "setup", Image: "setup:1"}}
	}
}

func (s *scene) meta(name string, uid types.UID) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: Namespace, Name: name, UID: uid}
}

func controlledBy(apiVersion, kind, name string, uid types.UID) []metav1.OwnerReference {
	return []metav1.OwnerReference{{APIVersion: apiVersion, Kind: kind, Name: name, UID: uid, Controller: new(true)}}
}

// siblings are other sets of the namespace: with the same owner, which makes
// them count for co-location, or with the same selector, which makes them
// rivals for orphans.
func (s *scene) siblings() []*appsv1.ReplicaSet {
	var all []*appsv1.ReplicaSet
	n, strangers, unusual := mostly(s.draw, 0, 60, 1, 2, 3), 35, 25
	if s.stratum == crowds {
		n, strangers, unusual = mostly(s.draw, s.between(4, 10), 20, 2, 3), 0, 60
	}
	for i := range n {
		rs := &appsv1.ReplicaSet{ObjectMeta: s.meta(fmt.Sprintf("other-%d", i), types.UID(fmt.Sprintf("uid-other-%d", i)))}
		rs.OwnerReferences = mostly(s.draw, controlledBy("apps/v1", "Deployment", "shop", ownerUID), strangers,
			nil, controlledBy("apps/v1", "Deployment", "elsewhere", "uid-elsewhere"))
		if s.chance(15) {
			rs.DeletionTimestamp = new(ago(3))
		}
		rs.Spec.Replicas = new(int32(1))
		rs.Spec.Selector = s.selector(mostly(s.draw, old, 40, web), unusual)
		rs.Spec.Template.Labels = map[string]string{labelApp: old}
		all = append(all, rs)
	}
	return all
}

// wish sets spec.replicas so that there is mostly a little to do.
func (s *scene) wish() {
	active := s.countActive()
	s.set.Spec.Replicas = new(int32(max(0, active+s.missing(active))))
}

// countActive estimates the pods that the set will claim; an unusual selector
// makes it another number, which does no harm.
func (s *scene) countActive() int {
	n := 0
	for _, p := range s.pods {
		if isMine(p) && isActive(p) {
			n++
		}
	}
	return n
}

func isMine(p *corev1.Pod) bool {
	ref := metav1.GetControllerOfNoCopy(p)
	return p.Labels[labelApp] == web && (ref == nil || ref.UID == setUID)
}

func isActive(p *corev1.Pod) bool {
	return p.DeletionTimestamp == nil && p.Status.Phase != corev1.PodSucceeded && p.Status.Phase != corev1.PodFailed
}
