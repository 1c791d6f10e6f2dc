package live

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"pgregory.net/rapid"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// few draws one of few values, so that neighbours are often alike.
func few[T any](t *rapid.T, what string, values ...T) T {
	return rapid.SampledFrom(values).Draw(t, what)
}

var drawnContainers = rapid.Custom(func(t *rapid.T) corev1.Container {
	return corev1.Container{
		Name: few(t, "container", "main", "main", "proxy"), Image: few(t, "image", "shop:1", "shop:1", ""),
		Resources:    corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(few(t, "cpu", "1", "1", "200m"))}},
		Env:          few(t, "env", nil, []corev1.EnvVar{{Name: "A", Value: "b"}}),
		VolumeMounts: few(t, "mounts", nil, []corev1.VolumeMount{{Name: "token-1", MountPath: "/a"}}, []corev1.VolumeMount{{Name: "token-2", MountPath: "/a"}, {Name: "b"}}),
	}
})

var drawnPods = rapid.Custom(func(t *rapid.T) corev1.Pod {
	p := corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Name: rapid.StringMatching("[a-z]{1,4}").Draw(t, "name"), UID: "u",
		Namespace: few(t, "namespace", "shop", "shop", "blog"), GenerateName: few(t, "generated", "", "web-"),
		Labels:          few(t, "labels", nil, map[string]string{"app": "web"}, map[string]string{"app": "web"}, map[string]string{"app": "db"}),
		Annotations:     few(t, "annotations", nil, nil, map[string]string{"a": "1"}),
		OwnerReferences: few(t, "owners", nil, []metav1.OwnerReference{{Kind: "ReplicaSet", Name: "web", UID: "r", Controller: new(true)}}),
		Finalizers:      few(t, "finalizers", nil, nil, []string{"a/b"}),
	}}
	p.Spec.NodeName = few(t, "node", "", "n1", "n2")
	p.Spec.Tolerations = few(t, "tolerations", nil, []corev1.Toleration{{Key: "a"}})
	p.Spec.TerminationGracePeriodSeconds = few(t, "grace", nil, new(int64(30)), new(int64(30)))
	p.Spec.InitContainers = rapid.SliceOfN(drawnContainers, 0, 2).Draw(t, "init")
	p.Spec.Containers = rapid.SliceOfN(drawnContainers, 0, 3).Draw(t, "containers")
	for range rapid.IntRange(0, 2).Draw(t, "volumes") {
		p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{
			Name: few(t, "volume", "token-1", "token-2"),
			VolumeSource: few(t, "source", corev1.VolumeSource{}, corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}},
				corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data"}}),
		})
	}
	p.Status.Phase = few(t, "phase", corev1.PodRunning, corev1.PodPending)
	return p
})

// TestSharingChangesNothing: a list holds the same Pods, whatever they share.
func TestSharingChangesNothing(t *testing.T) {
	shared := 0
	rapid.Check(t, func(rt *rapid.T) {
		list := &corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: "7"}, Items: rapid.SliceOfN(drawnPods, 0, 6).Draw(rt, "items")}
		list.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("PodList"))
		text := encoded(t, list)
		want := &corev1.PodList{}
		if err := runtime.DecodeInto(view.Codecs.UniversalDeserializer(), text, want); err != nil {
			rt.Fatal(err)
		}
		got, err := decoded(slices.Clone(text))
		if err != nil {
			rt.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			rt.Fatalf("shared:\n%s", diff)
		}
		if short, _ := sharing(text); len(short) < len(text) {
			shared++
		}
	})
	if shared == 0 {
		t.Error("no list became shorter")
	}
}

// TestSharing: Pods that differ in names, nodes and mounts share all else.
func TestSharing(t *testing.T) {
	pod := corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web-1", Namespace: "shop", UID: "1", Labels: map[string]string{"app": "web"}, CreationTimestamp: metav1.NewTime(time.Unix(1, 0))}}
	pod.Spec = corev1.PodSpec{
		NodeName: "n1", Tolerations: []corev1.Toleration{{Key: "a"}},
		Volumes: []corev1.Volume{{Name: "token-1", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}},
		Containers: []corev1.Container{{
			Name: "main", Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": resource.MustParse("1")}},
			VolumeMounts: []corev1.VolumeMount{{Name: "token-1"}},
		}},
	}
	other := *pod.DeepCopy()
	other.Name, other.UID, other.Spec.NodeName = "web-2", "2", "n2"
	other.Spec.Volumes[0].Name, other.Spec.Containers[0].VolumeMounts[0].Name = "token-2", "token-2"
	list := &corev1.PodList{Items: []corev1.Pod{pod, other}}
	list.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("PodList"))
	obj, err := decoded(encoded(t, list))
	if err != nil {
		t.Fatal(err)
	}
	a, b := obj.(*corev1.PodList).Items[0], obj.(*corev1.PodList).Items[1]
	if diff := cmp.Diff(other, b); diff != "" {
		t.Errorf("the second Pod:\n%s", diff)
	}
	a.Labels["app"] = "changed"
	a.Spec.Tolerations[0].Key = "changed"
	a.Spec.Volumes[0].EmptyDir.Medium = "changed"
	a.Spec.Containers[0].Resources.Requests["cpu"] = resource.MustParse("2")
	for _, same := range []bool{
		b.Labels["app"] == "changed", b.Spec.Tolerations[0].Key == "changed", b.Spec.Volumes[0].EmptyDir.Medium == "changed",
		b.Spec.Containers[0].Resources.Requests.Cpu().Value() == 2,
	} {
		if !same {
			t.Errorf("something is not shared:\n%s", cmp.Diff(a, b))
		}
	}
}

func FuzzSharing(f *testing.F) {
	list := &corev1.PodList{Items: []corev1.Pod{{ObjectMeta: metav1.ObjectMeta{Name: "a"}}, {ObjectMeta: metav1.ObjectMeta{Name: "b"}}}}
	list.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("PodList"))
	text := encoded(f, list)
	for _, n := range []int{0, 4, len(text) / 2, len(text)} {
		f.Add(text[:n])
	}
	f.Fuzz(func(t *testing.T, text []byte) { decodesTheSame(t, text) })
}

// decodesTheSame: whether something is shared changes neither what is decoded nor
// whether it can be.
func decodesTheSame(t *testing.T, text []byte) {
	t.Helper()
	want, err := runtime.Decode(view.Codecs.UniversalDeserializer(), bytes.Clone(text))
	got, failed := decoded(text)
	if (err == nil) != (failed == nil) {
		t.Fatalf("%v, and %v shared", err, failed)
	}
	if err == nil {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("shared:\n%s", diff)
		}
	}
}

// TestSharingOfOddMessages: a field may come twice, which is merged, and may be of
// another type.
func TestSharingOfOddMessages(t *testing.T) {
	field := func(number protowire.Number, content ...byte) []byte { return appendField(nil, number, content) }
	owners := field(objectMetadata, field(metaOwners, field(3, 'w')...)...)
	volumes := field(podSpec, field(specVolumes, field(volumeName, 'v')...)...)
	number := func(number protowire.Number) []byte {
		return protowire.AppendVarint(protowire.AppendTag(nil, number, protowire.VarintType), 1)
	}
	for _, pod := range [][]byte{
		slices.Concat(owners, owners), slices.Concat(volumes, volumes), slices.Concat(owners, volumes),
		number(objectMetadata), number(podSpec), field(podSpec, number(specVolumes)...), field(objectMetadata, number(metaOwners)...),
	} {
		kind := field(unknownType, slices.Concat(field(1, 'v', '1'), field(typeKind, []byte("PodList")...))...)
		for _, list := range [][]byte{field(listItems, pod...), slices.Concat(field(listItems, pod...), field(listItems, pod...)), number(listItems)} {
			decodesTheSame(t, slices.Concat(protobufMagic, kind, field(unknownRaw, list...)))
		}
		decodesTheSame(t, slices.Concat(protobufMagic, kind, number(unknownRaw)))
	}
}
