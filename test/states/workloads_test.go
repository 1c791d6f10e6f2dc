package states

import (
	"fmt"
	"maps"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
)

// template is that of a workload of one container.
func template(name, image string) corev1.PodTemplateSpec {
	t := corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": name}},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{
			Name: "app", Image: image, Ports: []corev1.ContainerPort{{ContainerPort: 8080, Protocol: corev1.ProtocolTCP}},
			Resources: corev1.ResourceRequirements{
				Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("200m"), corev1.ResourceMemory: resource.MustParse("256Mi")},
				Limits:   corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("256Mi")},
			},
			ReadinessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/healthz", Port: intstr.FromInt32(8080), Scheme: corev1.URISchemeHTTP}}},
		}}},
	}
	defaults(&t.Spec)
	return t
}

// deployment is one of namespace shop, three weeks old.
func (c *cluster) deployment(name string, replicas int32, t corev1.PodTemplateSpec) *appsv1.Deployment {
	quarter := intstr.FromString("25%")
	return add(c, &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, Generation: 4, Labels: map[string]string{"app": name}},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": name}}, Template: t,
			Strategy:             appsv1.DeploymentStrategy{Type: appsv1.RollingUpdateDeploymentStrategyType, RollingUpdate: &appsv1.RollingUpdateDeployment{MaxSurge: &quarter, MaxUnavailable: &quarter}},
			RevisionHistoryLimit: new(int32(10)), ProgressDeadlineSeconds: new(int32(600)),
		},
	}, 21*day)
}

// replicaSet is one of a Deployment.
func (c *cluster) replicaSet(d *appsv1.Deployment, hash string, revision int, replicas int32, t corev1.PodTemplateSpec, age time.Duration) *appsv1.ReplicaSet {
	t = *t.DeepCopy()
	t.Labels = maps.Clone(t.Labels)
	t.Labels["pod-template-hash"] = hash
	surge := ptr.Deref(d.Spec.Replicas, 1)
	if r := d.Spec.Strategy.RollingUpdate; r != nil {
		more, _ := intstr.GetScaledValueFromIntOrPercent(r.MaxSurge, int(surge), true)
		surge += int32(more)
	}
	d.Annotations = map[string]string{"deployment.kubernetes.io/revision": fmt.Sprint(revision)}
	return add(c, &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: d.Namespace, Name: d.Name + "-" + hash, Generation: 2, Labels: t.Labels,
			Annotations: map[string]string{
				"deployment.kubernetes.io/revision":         fmt.Sprint(revision),
				"deployment.kubernetes.io/desired-replicas": fmt.Sprint(*d.Spec.Replicas),
				"deployment.kubernetes.io/max-replicas":     fmt.Sprint(surge),
			},
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(d, appsv1.SchemeGroupVersion.WithKind("Deployment"))},
		},
		Spec: appsv1.ReplicaSetSpec{
			Replicas: &replicas, MinReadySeconds: d.Spec.MinReadySeconds, Template: t,
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": d.Name, "pod-template-hash": hash}},
		},
	}, age)
}

// suffixes are those of the Pods of a set, in the order in which they are made.
var suffixes = []string{"4x7kq", "9zvbn", "c5m2t", "fjw8d", "hgldn", "k2m4d", "njw42", "p8r6s", "stblp", "x2x9p", "zz91c", "zzk7m"}

// pods are ready Pods of a set, over all nodes.
func (c *cluster) pods(rs *appsv1.ReplicaSet, n int, age time.Duration) []*corev1.Pod {
	var all []*corev1.Pod
	for i := range n {
		p := newPod(rs.Namespace, rs.Name+"-"+suffixes[i], rs.Spec.Template.Spec)
		p.GenerateName, p.Generation = rs.Name+"-", 1
		p.Labels = maps.Clone(rs.Spec.Template.Labels)
		p.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(rs, appsv1.SchemeGroupVersion.WithKind("ReplicaSet"))}
		runs(p, fmt.Sprintf("n%d", i%3+1), age-5*time.Second)
		all = append(all, add(c, p, age))
	}
	return all
}

// stable is a Deployment with its only ReplicaSet and Pods that all are ready.
func (c *cluster) stable(name string, replicas int32, t corev1.PodTemplateSpec) (*appsv1.Deployment, *appsv1.ReplicaSet, []*corev1.Pod) {
	d := c.deployment(name, replicas, t)
	rs := c.replicaSet(d, "7c9d5f6b8", 1, replicas, t, 21*day)
	return d, rs, c.pods(rs, int(replicas), 3*day)
}

// rollout is a Deployment that is updated from one template to another, since a while.
func (c *cluster) rollout(name string, replicas int32, from, to corev1.PodTemplateSpec, since time.Duration) (d *appsv1.Deployment, before, after *appsv1.ReplicaSet) {
	d = c.deployment(name, replicas, to)
	before = c.replicaSet(d, "7c9d5f6b8", 1, replicas, from, 21*day)
	after = c.replicaSet(d, "5b46dc9f7", 2, 0, to, since)
	return d, before, after
}

// ownedBy are the Pods of an owner.
func (c *cluster) ownedBy(owner metav1.Object) []*corev1.Pod {
	var all []*corev1.Pod
	for _, o := range c.objects {
		if p, ok := o.(*corev1.Pod); ok && metav1.IsControlledBy(p, owner) {
			all = append(all, p)
		}
	}
	return all
}

func readyPod(p *corev1.Pod) bool {
	return slices.ContainsFunc(p.Status.Conditions, func(c corev1.PodCondition) bool { return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue })
}

// availablePod reports whether a Pod is ready for so many seconds.
func availablePod(p *corev1.Pod, minReady int32) bool {
	for _, c := range p.Status.Conditions {
		if c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue {
			return now.Sub(c.LastTransitionTime.Time) >= time.Duration(minReady)*time.Second
		}
	}
	return false
}

func activePod(p *corev1.Pod) bool {
	return p.DeletionTimestamp == nil && p.Status.Phase != corev1.PodFailed && p.Status.Phase != corev1.PodSucceeded
}

// countSet writes a ReplicaSet's status.
func (c *cluster) countSet(rs *appsv1.ReplicaSet) {
	s := appsv1.ReplicaSetStatus{ObservedGeneration: rs.Generation, Conditions: rs.Status.Conditions, TerminatingReplicas: new(int32(0))}
	for _, p := range c.ownedBy(rs) {
		switch {
		case activePod(p):
			s.Replicas++
			s.FullyLabeledReplicas++
		case p.DeletionTimestamp != nil && p.Status.Phase != corev1.PodFailed:
			*s.TerminatingReplicas++
			continue
		default:
			continue
		}
		if readyPod(p) {
			s.ReadyReplicas++
		}
		if availablePod(p, rs.Spec.MinReadySeconds) {
			s.AvailableReplicas++
		}
	}
	rs.Status = s
}

// countDeployment writes a Deployment's status from that of its ReplicaSets. The last
// one that was added is the new one.
func (c *cluster) countDeployment(d *appsv1.Deployment) {
	s := appsv1.DeploymentStatus{ObservedGeneration: d.Generation, TerminatingReplicas: new(int32(0))}
	for _, o := range c.objects {
		rs, ok := o.(*appsv1.ReplicaSet)
		if !ok || !metav1.IsControlledBy(rs, d) {
			continue
		}
		s.Replicas += rs.Status.Replicas
		s.UnavailableReplicas += *rs.Spec.Replicas
		s.ReadyReplicas += rs.Status.ReadyReplicas
		s.AvailableReplicas += rs.Status.AvailableReplicas
		*s.TerminatingReplicas += ptr.Deref(rs.Status.TerminatingReplicas, 0)
		if s.UpdatedReplicas = rs.Status.Replicas; d.Annotations["deployment.kubernetes.io/revision"] != rs.Annotations["deployment.kubernetes.io/revision"] {
			s.UpdatedReplicas = 0
		}
	}
	s.UnavailableReplicas = max(0, s.UnavailableReplicas-s.AvailableReplicas)
	s.Conditions = d.Status.Conditions
	if len(s.Conditions) == 0 {
		s.Conditions = conditionsOf(d, s)
	}
	d.Status = s
}

// conditionsOf are those of a Deployment that was created or updated long ago.
func conditionsOf(d *appsv1.Deployment, s appsv1.DeploymentStatus) []appsv1.DeploymentCondition {
	available := appsv1.DeploymentCondition{
		Type: appsv1.DeploymentAvailable, Status: corev1.ConditionTrue, Reason: "MinimumReplicasAvailable", Message: "Deployment has minimum availability.",
		LastUpdateTime: ago(21 * day), LastTransitionTime: ago(21 * day),
	}
	least := *d.Spec.Replicas
	if r := d.Spec.Strategy.RollingUpdate; r != nil {
		fewer, _ := intstr.GetScaledValueFromIntOrPercent(r.MaxUnavailable, int(least), false)
		least -= int32(fewer)
	}
	if s.AvailableReplicas < least {
		available.Status, available.Reason, available.Message = corev1.ConditionFalse, "MinimumReplicasUnavailable", "Deployment does not have minimum availability."
	}
	return []appsv1.DeploymentCondition{available, progressing("NewReplicaSetAvailable", fmt.Sprintf("ReplicaSet %q has successfully progressed.", d.Name+"-7c9d5f6b8"), 21*day)}
}

// progressing is the condition of that name, updated a while ago.
func progressing(reason, message string, updated time.Duration) appsv1.DeploymentCondition {
	status := corev1.ConditionTrue
	switch reason {
	case "ProgressDeadlineExceeded":
		status = corev1.ConditionFalse
	case "DeploymentPaused":
		status = corev1.ConditionUnknown
	}
	return appsv1.DeploymentCondition{
		Type: appsv1.DeploymentProgressing, Status: status, Reason: reason, Message: message,
		LastUpdateTime: ago(updated), LastTransitionTime: ago(updated),
	}
}

// progress replaces the condition Progressing that writeStatus would write.
func (c *cluster) progress(d *appsv1.Deployment, p appsv1.DeploymentCondition) {
	c.writeStatus()
	d.Status.Conditions = conditionsOf(d, d.Status)
	d.Status.Conditions[1] = p
}

// timedOut is a Deployment whose progressDeadlineSeconds are over since a while.
func (c *cluster) timedOut(name, set string, since time.Duration) {
	d := find[*appsv1.Deployment](c, name)
	c.progress(d, progressing("ProgressDeadlineExceeded", fmt.Sprintf("ReplicaSet %q has timed out progressing.", set), since))
}

// claim is a PersistentVolumeClaim with its volume in zone b.
func (c *cluster) claim(name string) {
	storage := corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("20Gi")}
	add(c, &corev1.PersistentVolumeClaim{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, Finalizers: []string{"kubernetes.io/pvc-protection"}},
		Spec: corev1.PersistentVolumeClaimSpec{
			AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}, VolumeName: "pv-" + name, StorageClassName: new("ssd"),
			Resources: corev1.VolumeResourceRequirements{Requests: storage}, VolumeMode: new(corev1.PersistentVolumeFilesystem),
		},
		Status: corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimBound, Capacity: storage, AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}},
	}, 40*day)
}

// pending is a PersistentVolumeClaim of a class without a volume yet.
func (c *cluster) pending(name, class string) *corev1.PersistentVolumeClaim {
	return add(c, &corev1.PersistentVolumeClaim{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, Finalizers: []string{"kubernetes.io/pvc-protection"}},
		Spec: corev1.PersistentVolumeClaimSpec{
			AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}, StorageClassName: &class,
			Resources: corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("20Gi")}}, VolumeMode: new(corev1.PersistentVolumeFilesystem),
		},
		Status: corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimPending},
	}, 32*minute)
}
