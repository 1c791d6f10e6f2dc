package trace

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// TestLabelWriter: of a CloneSet's pod, who wrote the labels of its controller is
// kept, and nothing else of its managed fields.
func TestLabelWriter(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Labels:          map[string]string{"lifecycle.apps.kruise.io/state": "Normal", "apps.kruise.io/specified-delete": "true"},
		OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps.kruise.io/v1alpha1", Kind: "CloneSet", Name: "web", Controller: new(true)}},
		ManagedFields: []metav1.ManagedFieldsEntry{
			managed("kruise-manager", "", `{"f:metadata":{"f:annotations":{".":{}},"f:labels":{".":{},"f:app":{},"f:lifecycle.apps.kruise.io/state":{}}},"f:spec":{}}`),
			managed("kubectl-label", "", `{"f:metadata":{"f:labels":{"f:apps.kruise.io/specified-delete":{}}}}`),
			managed("kubectl-annotate", "", `{"f:metadata":{"f:annotations":{"f:note":{}}}}`),
			managed("kubelet", "status", `{"f:status":{}}`),
		},
	}}
	if _, err := labelsOf(plugins.All().Running()).slim(pod); err != nil {
		t.Fatal(err)
	}
	if n := len(pod.ManagedFields); n != 2 {
		t.Errorf("%d managers are kept, want 2: %+v", n, pod.ManagedFields)
	}
	for label, want := range map[string]string{
		"lifecycle.apps.kruise.io/state": "kruise-manager", "apps.kruise.io/specified-delete": "kubectl-label", "pod-template-hash": "", "": "",
	} {
		if got := labelWriter(pod, label); got != want {
			t.Errorf("label %q was written by %q, got %q", label, want, got)
		}
	}
}

func managed(manager, subresource, fields string) metav1.ManagedFieldsEntry {
	return metav1.ManagedFieldsEntry{Manager: manager, Subresource: subresource, FieldsV1: metav1.NewFieldsV1(fields)}
}

// TestScaledByOthers: the subresource scale gives its entry of the managed fields no time, and is
// not what a controller scales its sets by.
func TestScaledByOthers(t *testing.T) {
	at := metav1.Now()
	own, by := managed("kube-controller-manager", "", "{}"), managed("kubectl", "scale", "{}")
	own.Time = &at
	autoscaler := managed("kube-controller-manager", "scale", "{}")
	for _, tt := range []struct {
		managers []metav1.ManagedFieldsEntry
		want     string
	}{
		{[]metav1.ManagedFieldsEntry{own}, "kube-controller-manager"},
		{[]metav1.ManagedFieldsEntry{own, by}, "kubectl (subresource scale)"},
		{[]metav1.ManagedFieldsEntry{own, autoscaler}, "kube-controller-manager (subresource scale)"},
	} {
		set := func(replicas int32, by ...metav1.ManagedFieldsEntry) *appsv1.ReplicaSet {
			rs := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Name: "web-a", ManagedFields: by, OwnerReferences: []metav1.OwnerReference{{Kind: "Deployment", Name: "web", Controller: new(true)}}}}
			rs.Spec.Replicas = &replicas
			return rs
		}
		acts := podLabels{}.actsOf(at.Time, handlers.Event{Type: handlers.Updated, Kind: view.ReplicaSets, Old: set(2, own), New: set(4, tt.managers...)})
		if len(acts) != 1 || acts[0].writer != tt.want {
			t.Errorf("%v: got %+v, want it to be written by %s", tt.managers, acts, tt.want)
		}
	}
}

// TestMade: acts are looked for on what the controllers create, delete and scale, and
// on nothing else.
func TestMade(t *testing.T) {
	of := func(creates view.Kind, scales ...view.Kind) controller.Running {
		return controller.Running{Controller: controller.Controller{Creates: creates, Scales: scales}}
	}
	for _, tt := range []struct {
		controllers []controller.Running
		want        []view.Kind
	}{
		{nil, nil},
		{[]controller.Running{of(view.Kind{})}, []view.Kind{view.Pods}},
		{[]controller.Running{of(view.PersistentVolumeClaims)}, []view.Kind{view.PersistentVolumeClaims}},
		{[]controller.Running{of(view.PersistentVolumeClaims), of(view.Kind{}, view.ReplicaSets)}, []view.Kind{view.PersistentVolumeClaims, view.Pods, view.ReplicaSets}},
	} {
		got := madeBy(tt.controllers)
		if len(got) != len(tt.want) {
			t.Errorf("got %v, want %v", got, tt.want)
		}
		for _, k := range tt.want {
			if !got[k.GroupKind()] {
				t.Errorf("%s is missing of %v", k.Kind, got)
			}
		}
	}
}

// TestKeptOfStatefulSets: of a Pod whose controller puts its labels and volumes back, the
// whole spec is kept.
func TestKeptOfStatefulSets(t *testing.T) {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "web", Controller: new(true)}}},
		Spec:       corev1.PodSpec{Volumes: []corev1.Volume{{Name: "data"}}},
	}
	if _, err := labelsOf(plugins.All().Running()).slim(pod); err != nil || len(pod.Spec.Volumes) != 1 {
		t.Errorf("%v: the volumes %v are left", err, pod.Spec.Volumes)
	}
}

// TestRelabelled: a label that is taken away is the controller's doing where it takes
// some away.
func TestRelabelled(t *testing.T) {
	with := func(value ...string) *corev1.Pod {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{}}}
		for _, v := range value {
			p.Labels["name"] = v
		}
		return p
	}
	for _, tt := range []struct {
		before, now *corev1.Pod
		inPlace     bool
		want        string
	}{
		{with(), with("a"), false, "name"}, {with("a"), with("b"), false, "name"}, {with("a"), with("a"), true, ""},
		{with("a"), with(), false, ""}, {with("a"), with(), true, "name"},
	} {
		if got := (podWrites{[]string{"name"}, tt.inPlace}).relabelled(tt.before, tt.now); strings.Join(got, " ") != tt.want {
			t.Errorf("%v → %v: got %q, want %q", tt.before.Labels, tt.now.Labels, got, tt.want)
		}
	}
}

// TestChanged: of what was changed of an object, the fields are told that its controller
// writes.
func TestChanged(t *testing.T) {
	owned := func(change func(*corev1.Pod)) *corev1.Pod {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web-0", Labels: map[string]string{"rev": "a", "theirs": "x"}, OwnerReferences: []metav1.OwnerReference{{Kind: "Toy", Name: "web", Controller: new(true)}}}}
		p.Spec.Containers = []corev1.Container{{Name: "main", Image: "shop:1"}, {Name: "proxy", Image: "mesh:1"}}
		change(p)
		return p
	}
	set := func(replicas, minReady int32, revision string) *appsv1.ReplicaSet {
		rs := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Name: "web-a", Annotations: map[string]string{"revision": revision}, OwnerReferences: []metav1.OwnerReference{{Kind: "Toy", Name: "web", Controller: new(true)}}}}
		rs.Generation = int64(minReady)
		rs.Spec.Replicas, rs.Spec.MinReadySeconds = &replicas, minReady
		return rs
	}
	same := func(*corev1.Pod) {}
	for _, tt := range []struct {
		kind        view.Kind
		before, now metav1.Object
		want        string
	}{
		{view.Pods, owned(same), owned(func(p *corev1.Pod) { p.Labels["rev"], p.Labels["theirs"] = "b", "y" }), "metadata.labels[rev] a b"},
		{view.Pods, owned(same), owned(func(p *corev1.Pod) { p.Spec.Containers[1].Image, p.Labels["rev"] = "mesh:2", "b" }), "spec.containers[proxy].image mesh:1 mesh:2 metadata.labels[rev] a b"},
		{view.Pods, owned(same), owned(func(p *corev1.Pod) { delete(p.Labels, "rev") }), "metadata.labels[rev] a "},
		{view.Pods, owned(same), owned(func(p *corev1.Pod) { p.Labels["theirs"] = "y" }), ""},
		{view.ReplicaSets, set(1, 0, "1"), set(1, 5, "2"), "spec.minReadySeconds 0 5 metadata.annotations[revision] 1 2"},
		{view.ReplicaSets, set(1, 0, "1"), set(2, 0, "2"), ""},
	} {
		writes := podLabels{"Toy": {[]string{"rev"}, true}}
		var got []string
		for _, a := range writes.actsOf(time.Time{}, handlers.Event{Type: handlers.Updated, Kind: tt.kind, Old: tt.before, New: tt.now}) {
			for _, c := range a.changed {
				got = append(got, c.Path, c.From, c.To)
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("got %v, want %s", got, tt.want)
		}
	}
}

// TestKeptRestarts: of containers' status, what Pods are ranked by is kept: each restart.
func TestKeptRestarts(t *testing.T) {
	status := []corev1.ContainerStatus{{Name: "main", RestartCount: 1, Image: "shop:1"}, {Name: "idle"}, {Name: "proxy", RestartCount: 7}}
	pod := &corev1.Pod{Status: corev1.PodStatus{ContainerStatuses: status, InitContainerStatuses: status[:2]}}
	if _, err := labelsOf(plugins.All().Running()).slim(pod); err != nil {
		t.Fatal(err)
	}
	main, proxy := corev1.ContainerStatus{Name: "main", RestartCount: 1}, corev1.ContainerStatus{Name: "proxy", RestartCount: 7}
	want := corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{main, proxy}, InitContainerStatuses: []corev1.ContainerStatus{main}}
	if diff := cmp.Diff(want, pod.Status); diff != "" {
		t.Error(diff)
	}
}
