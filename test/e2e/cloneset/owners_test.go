package cloneset

import (
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestOwners is about what Kruise's workloads adopt, let go and leave alone, and
// about the volume claims that a CloneSet leaves behind.
func TestOwners(t *testing.T) {
	runOwnerScenarios(t, []ownerScenario{
		{
			name: "an Advanced StatefulSet adopts a pod of its name",
			kind: view.AdvancedStatefulSets, spec: object{"replicas": int64(1), "serviceName": web},
			change: func(w *world) {
				w.wantTwo()
				w.pod(web+"-1", matching())
				w.pod(web+"-x", matching())
			},
			finds:  []string{"pod/web-1 AdoptOrphan", "pod/web-x NotMember"},
			follow: []string{"statefulset/web then has it as instance 1 until the rolling update replaces it"},
			then:   (*world).replacesSecond,
			deeds:  []string{"pod/web-1 adopted by statefulset/web"},
		},
		{
			name: "an Advanced StatefulSet releases a pod",
			kind: view.AdvancedStatefulSets, spec: object{"replicas": int64(1), "serviceName": web},
			change: func(w *world) { w.relabel(web + "-0") },
			follow: []string{"statefulset/web then misses instance 0 and can't create it while web-0 exists"},
			then:   func(w *world) { w.leaves(0, 1) },
			finds:  []string{"pod/web-0 ReleaseMismatch"},
			deeds:  []string{"pod/web-0 released by statefulset/web"},
		},
		{
			name: "an Advanced StatefulSet adopts a revision",
			kind: view.AdvancedStatefulSets, spec: object{"replicas": int64(0), "serviceName": web},
			change: func(w *world) { w.revision("lost", web) },
			finds:  []string{"controllerrevision/lost AdoptOrphan"},
			deeds:  []string{"controllerrevision/lost adopted by statefulset/web"},
		},
		{
			name: "an Advanced DaemonSet adopts a pod and a revision, and releases a pod",
			kind: view.AdvancedDaemonSets, spec: object{},
			change: func(w *world) {
				w.relabel(w.pods()[0].Name)
				w.pod("orphan", matching())
				w.revision("lost", web)
			},
			finds:  []string{"pod/orphan AdoptOrphan", "controllerrevision/lost AdoptOrphan"},
			follow: []string{"daemonset/web then has it on its node", "daemonset/web then creates another on its node"},
			then:   func(w *world) { w.leaves(0, 4) }, // one on each node, and the one that it let go
			deeds:  []string{"pod/orphan adopted by daemonset/web", "controllerrevision/lost adopted by daemonset/web"},
		},
		{
			name: "a BroadcastJob adopts no pod and lets none go",
			kind: view.BroadcastJobs, spec: object{"parallelism": int64(3)},
			change: func(w *world) {
				pods := w.pods()
				w.pod("orphan", pods[0].Labels)
				w.patchPod(pods[1].Name, `{"metadata":{"labels":{"broadcastjob-name":"other"}}}`)
			},
			finds: []string{"pod/orphan NeverAdopts"},
			then:  func(w *world) { w.leaves(0, 5) }, // with one more where it lost sight of its own
		},
		{
			name: "a UnitedDeployment adopts a revision and a CloneSet",
			kind: view.UnitedDeployments, spec: united("united"),
			change: func(w *world) {
				w.revision("lost", "united")
				w.cloneSet("lost", object{"app": "united", "apps.kruise.io/subset-name": "b"})
			},
			finds: []string{"controllerrevision/lost AdoptOrphan"}, asks: []string{"cloneset/lost"},
			deeds: []string{"controllerrevision/lost adopted by uniteddeployment/web", "cloneset/lost adopted by uniteddeployment/web"},
		},
		{
			name: "a UnitedDeployment fails on a revision of another namespace",
			kind: view.UnitedDeployments, spec: united("abroad"),
			change: func(w *world) { newWorld(w.T).revision("abroad", "abroad") },
			then:   (*world).failsAbroad,
		},
		{
			name: "a CloneSet adopts neither a pod nor a revision, and releases a pod",
			kind: view.CloneSets, spec: object{"replicas": int64(2)},
			change: func(w *world) {
				w.relabel(w.pods()[0].Name)
				w.pod("orphan", matching())
				w.revision("lost", web)
			},
			finds: []string{"pod/orphan NeverAdopts", "controllerrevision/lost NeverAdopts"},
		},
		{
			name: "a CloneSet uses the claim of a pod that is gone for the next",
			kind: view.CloneSets, spec: withVolumes(object{"replicas": int64(2)}),
			change: func(w *world) { w.deletePod(w.pods()[0].Name) },
			left:   1, then: (*world).leavesNone,
		},
		{
			name: "a CloneSet keeps the claim of a pod that is gone while it needs no other",
			kind: view.CloneSets, spec: withVolumes(object{"replicas": int64(2)}),
			change: func(w *world) {
				w.deletePod(w.pods()[0].Name)
				w.patch(`{"replicas":1}`)
			},
			left: 1, then: (*world).leavesOne,
		},
		{
			name: "a CloneSet without reuse deletes the claim of a pod that is gone",
			kind: view.CloneSets, spec: withVolumes(object{"replicas": int64(2), "scaleStrategy": object{"disablePVCReuse": true}}),
			change: func(w *world) { w.deletePod(w.pods()[0].Name) },
			left:   1, then: (*world).leavesNone,
		},
	})
}

// united is a UnitedDeployment of one subset, a CloneSet. It has a label of its
// own: what nobody owns in any namespace concerns it.
func united(app string) object {
	inner := template()
	inner["metadata"] = object{"labels": object{"app": app}}
	selector := object{"matchLabels": object{"app": app}}
	return object{
		"replicas": int64(1), "selector": selector, "topology": object{"subsets": []any{object{"name": "a"}}},
		"template": object{"cloneSetTemplate": object{"metadata": inner["metadata"], "spec": object{"selector": selector, "template": inner}}},
	}
}

func withVolumes(spec object) object {
	spec["template"] = template()
	volumes(spec)
	return spec
}

func matching() map[string]string { return map[string]string{"app": web} }

func template() object {
	return object{
		"metadata": object{"labels": object{"app": web}},
		"spec":     object{"containers": []any{object{"name": "main", "image": "main:1"}}},
	}
}

// workload is the object web of a kind that asks for the label app=web.
func workload(kind view.Kind, spec object) *unstructured.Unstructured {
	if spec["selector"] == nil {
		spec["selector"] = object{"matchLabels": object{"app": web}}
	}
	if spec["template"] == nil {
		spec["template"] = template()
	}
	if kind.Kind == view.BroadcastJobs.Kind {
		delete(spec, "selector")
		spec["template"].(object)["spec"].(object)["restartPolicy"] = "Never"
	}
	return &unstructured.Unstructured{Object: object{
		"apiVersion": kind.GroupVersion().String(), "kind": kind.Kind, "metadata": object{"name": web}, "spec": spec,
	}}
}

// pod makes a pod that nobody owns.
func (w *world) pod(name string, labels map[string]string) {
	w.Helper()
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}
	p.Spec = corev1.PodSpec{NodeName: "node-0", Containers: []corev1.Container{{Name: "main", Image: "main:1"}}}
	_, err := env.client.CoreV1().Pods(w.namespace).Create(w.Context(), p, metav1.CreateOptions{})
	w.check(err)
}

// revision makes one that nobody owns.
func (w *world) revision(name, app string) {
	w.Helper()
	rev := &appsv1.ControllerRevision{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": app}}, Revision: 100}
	rev.Data.Raw = []byte(`{"spec":{}}`)
	_, err := env.client.AppsV1().ControllerRevisions(w.namespace).Create(w.Context(), rev, metav1.CreateOptions{})
	w.check(err)
}

// wantTwo lets an Advanced StatefulSet want a second pod.
func (w *world) wantTwo() {
	w.Helper()
	_, err := env.dynamic.Resource(view.AdvancedStatefulSets.GVR()).Namespace(w.namespace).
		Patch(w.Context(), web, types.MergePatchType, []byte(`{"spec":{"replicas":2}}`), metav1.PatchOptions{})
	w.check(err)
}

// cloneSet makes a CloneSet without pods that nobody owns.
func (w *world) cloneSet(name string, labels object) {
	w.Helper()
	set := cloneSet(replicas(0))
	set.SetName(name)
	w.check(unstructured.SetNestedMap(set.Object, labels, "metadata", "labels"))
	_, err := w.sets().Create(w.Context(), set, metav1.CreateOptions{})
	w.check(err)
}

// relabel takes a pod out of every selector here.
func (w *world) relabel(pod string) {
	w.Helper()
	w.patchPod(pod, fmt.Sprintf(`{"metadata":{"labels":{"app":%q}}}`, "other"))
}

// deletePod makes a pod be gone at once.
func (w *world) deletePod(name string) {
	w.Helper()
	w.check(env.client.CoreV1().Pods(w.namespace).Delete(w.Context(), name, metav1.DeleteOptions{GracePeriodSeconds: new(int64(0))}))
}
