package e2e

import (
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// The workloads besides ReplicaSets. Each asks for the label app=<name>, and
// its pods stay pending unless an edit says otherwise.

func deploymentOf(name string, replicas int32, edits ...func(*appsv1.Deployment)) *appsv1.Deployment {
	d := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: name}}
	d.Spec.Replicas = &replicas
	d.Spec.Selector = &metav1.LabelSelector{MatchLabels: app(name)}
	d.Spec.Template = template(app(name))
	for _, edit := range edits {
		edit(d)
	}
	return d
}

// runs lets the Deployment's pods run.
func runs(d *appsv1.Deployment) { d.Spec.Template.Spec.SchedulerName = "" }

func recreates(d *appsv1.Deployment) {
	d.Spec.Strategy = appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType}
}

// steps sets maxSurge and maxUnavailable, numbers or percentages.
func steps(surge, unavailable string) func(*appsv1.Deployment) {
	return func(d *appsv1.Deployment) {
		d.Spec.Strategy = appsv1.DeploymentStrategy{Type: appsv1.RollingUpdateDeploymentStrategyType, RollingUpdate: &appsv1.RollingUpdateDeployment{
			MaxSurge: new(intstr.Parse(surge)), MaxUnavailable: new(intstr.Parse(unavailable)),
		}}
	}
}

func statefulSet(name string, replicas int32) *appsv1.StatefulSet {
	s := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: name}}
	s.Spec.Replicas = &replicas
	s.Spec.Selector = &metav1.LabelSelector{MatchLabels: app(name)}
	s.Spec.Template = template(app(name))
	return s
}

// daemonSet wants a pod on each node that kwok manages.
func daemonSet(name string) *appsv1.DaemonSet {
	d := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: name}}
	d.Spec.Selector = &metav1.LabelSelector{MatchLabels: app(name)}
	d.Spec.Template = template(app(name))
	d.Spec.Template.Spec.NodeSelector = map[string]string{corev1.LabelOSStable: "linux"}
	return d
}

// manualJob has a selector that somebody else's pods can match.
func manualJob(name string, completions int32, edits ...func(*batchv1.Job)) *batchv1.Job {
	j := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: name}}
	j.Spec.ManualSelector = new(true)
	j.Spec.Selector = &metav1.LabelSelector{MatchLabels: app(name)}
	j.Spec.Template = template(app(name))
	j.Spec.Template.Spec.RestartPolicy = corev1.RestartPolicyNever
	j.Spec.Completions, j.Spec.Parallelism = &completions, &completions
	for _, edit := range edits {
		edit(j)
	}
	return j
}

// historyOf is a revision that a StatefulSet or DaemonSet web would list.
func historyOf(name string, number int) *appsv1.ControllerRevision {
	rev := &appsv1.ControllerRevision{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: app(web)}, Revision: int64(number)}
	rev.Data.Raw = []byte(`{"spec":{}}`)
	return rev
}

// configMap is an owner that no controller cares about.
func configMap(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}
}
