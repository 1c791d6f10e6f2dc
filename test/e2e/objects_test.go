package e2e

import (
	"maps"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// web is the name of the target, and app=web the label that its selector asks
// for, unless a scenario says otherwise.
const web = "web"

func app(name string) map[string]string { return map[string]string{"app": name} }

// nobody is a scheduler that does not exist: pods of a set that uses it stay
// pending on no node, so that nothing moves but what the controller does.
const nobody = "nobody"

// template is a pod template whose pods stay pending.
func template(labels map[string]string) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: labels},
		Spec:       corev1.PodSpec{SchedulerName: nobody, Containers: []corev1.Container{{Name: "main", Image: "main"}}},
	}
}

// replicaSet is a ReplicaSet that asks for the label app=<name>.
func replicaSet(name string, replicas int32, edits ...func(*appsv1.ReplicaSet)) *appsv1.ReplicaSet {
	set := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Name: name}}
	set.Spec.Replicas = &replicas
	set.Spec.Selector = &metav1.LabelSelector{MatchLabels: app(name)}
	set.Spec.Template = template(app(name))
	for _, edit := range edits {
		edit(set)
	}
	return set
}

// scheduled lets the set's pods run.
func scheduled(set *appsv1.ReplicaSet) { set.Spec.Template.Spec.SchedulerName = "" }

func minReady(seconds int32) func(*appsv1.ReplicaSet) {
	return func(set *appsv1.ReplicaSet) { set.Spec.MinReadySeconds = seconds }
}

func (w *world) createSet(set *appsv1.ReplicaSet) *appsv1.ReplicaSet {
	w.Helper()
	set, err := w.client.AppsV1().ReplicaSets(w.namespace).Create(w.Context(), set, metav1.CreateOptions{})
	w.check(err)
	return set
}

func replicationController(name string, replicas int32) *corev1.ReplicationController {
	rc := &corev1.ReplicationController{ObjectMeta: metav1.ObjectMeta{Name: name}}
	rc.Spec.Replicas, rc.Spec.Selector = &replicas, app(name)
	rc.Spec.Template = new(template(app(name)))
	return rc
}

func (w *world) createRC(rc *corev1.ReplicationController) *corev1.ReplicationController {
	w.Helper()
	rc, err := w.client.CoreV1().ReplicationControllers(w.namespace).Create(w.Context(), rc, metav1.CreateOptions{})
	w.check(err)
	return rc
}

// pod is a pod with a recorded life: what a scenario says of it, the API server
// stores. Without a node it is unscheduled, without more it is pending.
type pod struct {
	name   string
	owner  metav1.Object
	labels map[string]string // app=web when nil
	node   string

	ready   time.Duration // how long it has been ready
	unready bool          // running, but not ready
	silent  bool          // not ready, as its kubelet does not report, with all containers ready
	phase   corev1.PodPhase

	restarts, sidecarRestarts int32
	cost                      string
	terminating               bool
}

func (p pod) object() *corev1.Pod {
	t := template(app(web))
	obj := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: p.name}, Spec: t.Spec}
	obj.Labels = maps.Clone(t.Labels)
	if p.labels != nil {
		obj.Labels = p.labels
	}
	obj.Spec.NodeName = p.node
	if p.cost != "" {
		obj.Annotations = map[string]string{"controller.kubernetes.io/pod-deletion-cost": p.cost}
	}
	if p.sidecarRestarts > 0 {
		sidecar := corev1.Container{Name: "sidecar", Image: "sidecar", RestartPolicy: new(corev1.ContainerRestartPolicyAlways)}
		obj.Spec.InitContainers = []corev1.Container{sidecar}
	}
	if p.owner != nil {
		obj.OwnerReferences = []metav1.OwnerReference{controllerRef(p.owner)}
	}
	return obj
}

// controllerRef is the reference that the owner's controller would set.
func controllerRef(owner metav1.Object) metav1.OwnerReference {
	switch owner.(type) {
	case *corev1.ReplicationController:
		return *metav1.NewControllerRef(owner, corev1.SchemeGroupVersion.WithKind("ReplicationController"))
	case *appsv1.StatefulSet:
		return *metav1.NewControllerRef(owner, appsv1.SchemeGroupVersion.WithKind("StatefulSet"))
	case *corev1.ConfigMap:
		return *metav1.NewControllerRef(owner, corev1.SchemeGroupVersion.WithKind("ConfigMap"))
	}
	return *metav1.NewControllerRef(owner, appsv1.SchemeGroupVersion.WithKind("ReplicaSet"))
}
