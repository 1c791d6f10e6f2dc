package cluster

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestLacking: what a Pod of the start lacks, others lack that need it, whatever their image.
func TestLacking(t *testing.T) {
	pod := func(name, image string, change func(*corev1.Pod)) *corev1.Pod {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name)}}
		p.Spec.NodeName = "n-" + name
		p.Spec.Containers = []corev1.Container{{Name: "c", Image: image}}
		if change != nil {
			change(p)
		}
		return p
	}
	volume := func(s corev1.VolumeSource) func(*corev1.Pod) {
		return func(p *corev1.Pod) { p.Spec.Volumes = []corev1.Volume{{VolumeSource: s}} }
	}
	conf := func(optional bool) func(*corev1.Pod) {
		return func(p *corev1.Pod) {
			p.Spec.Containers[0].EnvFrom = []corev1.EnvFromSource{{ConfigMapRef: &corev1.ConfigMapEnvSource{LocalObjectReference: corev1.LocalObjectReference{Name: "conf"}, Optional: &optional}}}
		}
	}
	cert := volume(corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "cert"}})
	data := volume(corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data"}})
	mounted := func(optional bool) func(*corev1.Pod) {
		return volume(corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: "conf"}, Optional: &optional}})
	}
	env := func(from corev1.EnvVarSource) func(*corev1.Pod) {
		return func(p *corev1.Pod) { p.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "E", ValueFrom: &from}} }
	}
	password := env(corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{LocalObjectReference: corev1.LocalObjectReference{Name: "cert"}}})
	level := env(corev1.EnvVarSource{ConfigMapKeyRef: &corev1.ConfigMapKeySelector{LocalObjectReference: corev1.LocalObjectReference{Name: "conf"}}})
	waiting := func(reason, message string, change func(*corev1.Pod)) *corev1.Pod {
		p := pod("old", "i:1", change)
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "c", State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason, Message: message}}}}
		return p
	}
	const multi = `Multi-Attach error for volume "pv-1" Volume is already used by pod(s) holder`
	for name, test := range map[string]struct {
		old    *corev1.Pod
		event  string
		holder bool
		young  *corev1.Pod
		want   bool
	}{
		"a ConfigMap":         {waiting("CreateContainerConfigError", `configmap "conf" not found`, conf(false)), "", false, pod("new", "i:2", conf(false)), true},
		"an optional one":     {waiting("CreateContainerConfigError", `configmap "conf" not found`, conf(false)), "", false, pod("new", "i:2", conf(true)), false},
		"no longer read":      {waiting("CreateContainerConfigError", `configmap "conf" not found`, conf(false)), "", false, pod("new", "i:2", nil), false},
		"another":             {waiting("CreateContainerConfigError", `configmap "other" not found`, conf(false)), "", false, pod("new", "i:2", conf(false)), false},
		"mounted":             {waiting("CreateContainerConfigError", `configmap "conf" not found`, conf(false)), "", false, pod("new", "i:2", mounted(false)), true},
		"mounted if there":    {waiting("CreateContainerConfigError", `configmap "conf" not found`, conf(false)), "", false, pod("new", "i:2", mounted(true)), false},
		"a variable":          {waiting("CreateContainerConfigError", `configmap "conf" not found`, conf(false)), "", false, pod("new", "i:2", level), true},
		"a password":          {waiting("CreateContainerConfigError", `secret "cert" not found`, password), "", false, pod("new", "i:2", password), true},
		"another password":    {waiting("CreateContainerConfigError", `secret "other" not found`, password), "", false, pod("new", "i:2", password), false},
		"a Secret":            {waiting("ContainerCreating", "", cert), `MountVolume.SetUp failed for volume "s" : secret "cert" not found`, false, pod("new", "i:2", cert), true},
		"mounted by now":      {waiting("ErrImagePull", "", cert), `MountVolume.SetUp failed for volume "s" : secret "cert" not found`, false, pod("new", "i:2", cert), false},
		"attached elsewhere":  {waiting("ContainerCreating", "", data), multi, true, pod("new", "i:2", data), true},
		"its holder is gone":  {waiting("ContainerCreating", "", data), multi, false, pod("new", "i:2", data), false},
		"another claim":       {waiting("ContainerCreating", "", data), multi, true, pod("new", "i:2", nil), false},
		"nothing is known of": {waiting("ContainerCreating", "", cert), "", false, pod("new", "i:2", cert), false},
	} {
		b := view.NewOpenBuilder(time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC))
		b.Add(view.PersistentVolumeClaims, &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "data"}, Spec: corev1.PersistentVolumeClaimSpec{VolumeName: "pv-1"}})
		b.Add(view.Pods, test.old)
		if test.holder {
			b.Add(view.Pods, pod("holder", "i:0", data))
		}
		if test.event != "" {
			b.Add(view.Events, &corev1.Event{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "e"}, InvolvedObject: corev1.ObjectReference{UID: "old"}, Reason: "FailedMount", Message: test.event})
		}
		m := New(b.View(), admission.Features{})
		BeginPods(m, []*corev1.Pod{test.old}, nil)
		if got := m.StaysUnready(test.young); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// TestLost: a Pod stays Pending that needs a claim whose volume is gone, and no other one does.
func TestLost(t *testing.T) {
	for name, test := range map[string]struct {
		phase       corev1.PersistentVolumeClaimPhase
		claim, node string
		want        bool
	}{
		"Lost": {corev1.ClaimLost, "data", "", true}, "Bound": {corev1.ClaimBound, "data", "", false}, "Pending": {corev1.ClaimPending, "data", "", false},
		"another is Lost": {corev1.ClaimLost, "log", "", false}, "none is there": {"", "", "", false},
		"on a node that is made up": {corev1.ClaimLost, "data", madeUp + "new>", true}, "updated on its node": {corev1.ClaimLost, "data", "n1", false},
	} {
		b := view.NewOpenBuilder(time.Now())
		if test.claim != "" {
			b.Add(view.PersistentVolumeClaims, &corev1.PersistentVolumeClaim{
				ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: test.claim}, Status: corev1.PersistentVolumeClaimStatus{Phase: test.phase},
			})
		}
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "new", UID: "new"}}
		p.Spec.NodeName = test.node
		p.Spec.Volumes = []corev1.Volume{{VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data"}}}}
		if got := New(b.View(), admission.Features{}).lost(p); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// TestLacksOnce: what many Pods lack is noted once, and what others do besides.
func TestLacksOnce(t *testing.T) {
	in := func(namespace string) *corev1.Pod {
		return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace}}
	}
	var s lacks
	for i, l := range []lack{
		{pod: in("shop"), kind: "configmap", name: "conf"}, {pod: in("shop"), kind: "configmap", name: "other"},
		{pod: in("shop"), kind: "secret", name: "conf"}, {pod: in("blog"), kind: "configmap", name: "conf"},
	} {
		for range 3 {
			s.lack(l)
		}
		if len(s.all) != i+1 {
			t.Errorf("after %s %s of %s: %d", l.kind, l.name, l.pod.Namespace, len(s.all))
		}
	}
}

// TestAttachedElsewhere: a Pod of the start that waits for a volume starts when the Pod is gone
// whose node it is attached to, and not before.
func TestAttachedElsewhere(t *testing.T) {
	m := detaching(true)
	if m.Advance(detachedAt.Add(time.Hour)); isReady(m, "waits") {
		t.Error("it is ready beside the holder of its volume")
	}
	deletePod(m, "shop", "holder")
	if m.Advance(detachedAt.Add(2 * time.Hour)); !isReady(m, "waits") {
		t.Error("it is not ready though the holder of its volume is gone")
	}
	m = detaching(false)
	if m.Advance(detachedAt.Add(time.Hour)); !isReady(m, "waits") {
		t.Error("it is not ready though the holder of its volume was gone at the start")
	}
}

var detachedAt = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// detaching has a Pod whose events say that its volume is attached to the node of another one,
// which is still there or not.
func detaching(holder bool) *Model {
	pod := func(name string, state corev1.ContainerState, ready corev1.ConditionStatus) *corev1.Pod {
		return &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name), CreationTimestamp: metav1.NewTime(detachedAt.Add(-time.Second))},
			Spec: corev1.PodSpec{
				NodeName: "n-" + name, Containers: []corev1.Container{{Name: "c", Image: "i:1"}},
				Volumes: []corev1.Volume{{VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data"}}}},
			},
			Status: corev1.PodStatus{
				Conditions:        []corev1.PodCondition{{Type: corev1.PodReady, Status: ready}},
				ContainerStatuses: []corev1.ContainerStatus{{Name: "c", State: state}},
			},
		}
	}
	waits := pod("waits", corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ContainerCreating"}}, corev1.ConditionFalse)
	b := view.NewOpenBuilder(detachedAt)
	b.Add(view.PersistentVolumeClaims, &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "data"}, Spec: corev1.PersistentVolumeClaimSpec{VolumeName: "pv-1"}})
	b.Add(view.Pods, waits)
	if holder {
		b.Add(view.Pods, pod("holder", corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}, corev1.ConditionTrue))
	}
	b.Add(view.Events, &corev1.Event{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "e"}, InvolvedObject: corev1.ObjectReference{UID: "waits"}, Reason: "FailedAttachVolume",
		Message: `Waiting for detach for volume "pv-1" Volume is already used by pod(s) holder`,
	})
	m := New(b.View(), admission.Features{})
	BeginPods(m, []*corev1.Pod{waits}, nil)
	return m
}

func isReady(m *Model, name string) bool {
	p, _ := GetPod(m, "shop", name)
	return podReady(p)
}
