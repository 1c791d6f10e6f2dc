package bundle

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

const secret = "hunter2"

func secretSpec(value string) corev1.PodSpec {
	env := []corev1.EnvVar{
		{Name: "PASSWORD", Value: value},
		{Name: "EMPTY"},
		{Name: "FROM", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.name"}}},
	}
	c := corev1.Container{Name: "c", Env: env, Args: []string{"--password=" + value}}
	clone := func() corev1.Container { return *c.DeepCopy() }
	return corev1.PodSpec{
		InitContainers:      []corev1.Container{clone()},
		Containers:          []corev1.Container{clone()},
		EphemeralContainers: []corev1.EphemeralContainer{{EphemeralContainerCommon: corev1.EphemeralContainerCommon(clone())}},
	}
}

func secretMeta(name string) metav1.ObjectMeta {
	m := meta("shop", name)
	m.Annotations = map[string]string{corev1.LastAppliedConfigAnnotation: `{"value": "` + secret + `"}`, "kept": "yes"}
	m.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "kubelet-of-" + secret}}
	return m
}

// templateJSON is the data of a ControllerRevision.
func templateJSON(template corev1.PodTemplateSpec) []byte {
	text, err := json.Marshal(map[string]any{"spec": map[string]any{"template": template}})
	if err != nil {
		panic(err)
	}
	return text
}

func cloneSet(t *testing.T, m metav1.ObjectMeta, template corev1.PodTemplateSpec) *unstructured.Unstructured {
	t.Helper()
	u := &unstructured.Unstructured{}
	text, err := json.Marshal(map[string]any{"apiVersion": "apps.kruise.io/v1alpha1", "kind": "CloneSet", "metadata": m, "spec": map[string]any{"template": template}})
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, u); err != nil {
		t.Fatal(err)
	}
	return u
}

func TestRedaction(t *testing.T) {
	template := corev1.PodTemplateSpec{Spec: secretSpec(secret)}
	objects := []struct {
		kind view.Kind
		obj  metav1.Object
	}{
		{view.Pods, &corev1.Pod{ObjectMeta: secretMeta("a"), Spec: secretSpec(secret)}},
		{view.Pods, partial(secretMeta("b"))},
		{view.ReplicationControllers, &corev1.ReplicationController{ObjectMeta: secretMeta("a"), Spec: corev1.ReplicationControllerSpec{Template: &template}}},
		{view.ReplicaSets, &appsv1.ReplicaSet{ObjectMeta: secretMeta("a"), Spec: appsv1.ReplicaSetSpec{Template: template}}},
		{view.Deployments, &appsv1.Deployment{ObjectMeta: secretMeta("a"), Spec: appsv1.DeploymentSpec{Template: template}}},
		{view.StatefulSets, &appsv1.StatefulSet{ObjectMeta: secretMeta("a"), Spec: appsv1.StatefulSetSpec{Template: template}}},
		{view.DaemonSets, &appsv1.DaemonSet{ObjectMeta: secretMeta("a"), Spec: appsv1.DaemonSetSpec{Template: template}}},
		{view.Jobs, &batchv1.Job{ObjectMeta: secretMeta("a"), Spec: batchv1.JobSpec{Template: template}}},
		{view.ControllerRevisions, &appsv1.ControllerRevision{ObjectMeta: secretMeta("a"), Data: runtime.RawExtension{Raw: templateJSON(template)}}},
		{view.CloneSets, cloneSet(t, secretMeta("a"), template)},
	}
	b := view.NewBuilder(captured)
	var reads []view.Read
	var before []runtime.Object
	for _, o := range objects {
		b.Add(o.kind, o.obj)
		before = append(before, o.obj.(runtime.Object).DeepCopyObject())
		reads = append(reads, view.Read{Need: view.Need{Kind: o.kind, Detail: view.Full}})
	}
	for _, unredacted := range []bool{false, true} {
		var out bytes.Buffer
		if err := Write(&out, b.View(), reads, WriteOptions{Unredacted: unredacted}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(out.String(), secret); got != unredacted {
			t.Errorf("unredacted %t: the secret is there: %t\n%s", unredacted, got, out.String())
		}
		if got := strings.Contains(out.String(), corev1.LastAppliedConfigAnnotation+": "+view.LeftOut); got == unredacted {
			t.Errorf("unredacted %t: what was applied last is left out: %t", unredacted, got)
		}
		for _, kept := range []string{"kept: ", "fieldPath: metadata.name", "name: PASSWORD"} {
			if !strings.Contains(out.String(), kept) {
				t.Errorf("unredacted %t: %s is gone", unredacted, kept)
			}
		}
	}
	for i, o := range objects {
		if diff := cmp.Diff(before[i], o.obj.(runtime.Object), equal()); diff != "" {
			t.Errorf("the View's own %s has changed:\n%s", o.kind.Kind, diff)
		}
	}
}
