package places

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// TestAsksNoMore: a Pod fits where another was only if it asks the scheduler for nothing else.
func TestAsksNoMore(t *testing.T) {
	pod := func(change func(*corev1.PodSpec)) *corev1.Pod {
		c := corev1.Container{Name: "main", Ports: []corev1.ContainerPort{{HostPort: 80, Protocol: corev1.ProtocolTCP}}}
		c.Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1"), corev1.ResourceMemory: resource.MustParse("1Gi")}
		p := &corev1.Pod{Spec: corev1.PodSpec{
			Containers: []corev1.Container{c}, NodeSelector: map[string]string{"zone": "a"},
			Volumes: []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data"}}}},
		}}
		change(&p.Spec)
		return p
	}
	request := func(name corev1.ResourceName, q string) func(*corev1.PodSpec) {
		return func(s *corev1.PodSpec) { s.Containers[0].Resources.Requests[name] = resource.MustParse(q) }
	}
	for name, c := range map[string]struct {
		change func(*corev1.PodSpec)
		want   bool
	}{
		"the same":      {func(*corev1.PodSpec) {}, true},
		"another image": {func(s *corev1.PodSpec) { s.Containers[0].Image = "b" }, true},
		"less memory":   {request(corev1.ResourceMemory, "1Mi"), true},
		"more memory":   {request(corev1.ResourceMemory, "1025Mi"), false},
		"a GPU":         {request("nvidia.com/gpu", "1"), false},
		"overhead": {func(s *corev1.PodSpec) {
			s.Overhead = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1m")}
		}, false},
		"for all of it": {func(s *corev1.PodSpec) {
			s.Resources = &corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2")}}
		}, false},
		"no port":         {func(s *corev1.PodSpec) { s.Containers[0].Ports = nil }, true},
		"another port":    {func(s *corev1.PodSpec) { s.Containers[0].Ports[0].HostPort = 81 }, false},
		"another address": {func(s *corev1.PodSpec) { s.Containers[0].Ports[0].HostIP = "10.0.0.1" }, false},
		"another claim":   {func(s *corev1.PodSpec) { s.Volumes[0].PersistentVolumeClaim.ClaimName = "logs" }, false},
		"no claim":        {func(s *corev1.PodSpec) { s.Volumes = nil }, true},
		"another zone":    {func(s *corev1.PodSpec) { s.NodeSelector["zone"] = "b" }, false},
		"a toleration":    {func(s *corev1.PodSpec) { s.Tolerations = []corev1.Toleration{{Key: "gpu"}} }, false},
		"tolerations of every Pod": {func(s *corev1.PodSpec) {
			s.Tolerations = []corev1.Toleration{{Key: corev1.TaintNodeNotReady, TolerationSeconds: new(int64(300))}, {Key: corev1.TaintNodeUnreachable, TolerationSeconds: new(int64(300))}}
		}, true},
		"a toleration for a while": {func(s *corev1.PodSpec) {
			s.Tolerations = []corev1.Toleration{{Key: "gpu", TolerationSeconds: new(int64(300))}}
		}, false},
		"a toleration for ever": {func(s *corev1.PodSpec) { s.Tolerations = []corev1.Toleration{{Key: corev1.TaintNodeNotReady}} }, false},
		"affinity":              {func(s *corev1.PodSpec) { s.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{}} }, false},
		"spread":                {func(s *corev1.PodSpec) { s.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{MaxSkew: 1}} }, false},
		"a device":              {func(s *corev1.PodSpec) { s.ResourceClaims = []corev1.PodResourceClaim{{Name: "gpu"}} }, false},
	} {
		if got := AsksNoMore(pod(c.change), pod(func(*corev1.PodSpec) {})); got != c.want {
			t.Errorf("%s: got %t", name, got)
		}
	}
}

// TestWantsNoOther: what a Pod may use counts, not how much of it.
func TestWantsNoOther(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*corev1.PodSpec)
		want   bool
	}{
		"more memory": {func(s *corev1.PodSpec) {
			s.Containers = []corev1.Container{{Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("1Gi")}}}}
		}, true},
		"a port": {func(s *corev1.PodSpec) {
			s.Containers = []corev1.Container{{Ports: []corev1.ContainerPort{{HostPort: 80}}}}
		}, true},
		"a zone":       {func(s *corev1.PodSpec) { s.NodeSelector = map[string]string{"zone": "a"} }, false},
		"affinity":     {func(s *corev1.PodSpec) { s.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{}} }, false},
		"a toleration": {func(s *corev1.PodSpec) { s.Tolerations = []corev1.Toleration{{Key: "gpu"}} }, false},
		"a claim": {func(s *corev1.PodSpec) {
			s.Volumes = []corev1.Volume{{VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data"}}}}
		}, false},
	} {
		p := &corev1.Pod{}
		c.change(&p.Spec)
		if got := WantsNoOther(p, &corev1.Pod{}); got != c.want {
			t.Errorf("%s: got %t", name, got)
		}
	}
}

// TestAwaitsAs: a Pod waits as another one does that was crowded out, unless it asks for
// less of what the scheduler named.
func TestAwaitsAs(t *testing.T) {
	pod := func(cpu, memory string, port int32, tolerates bool) *corev1.Pod {
		c := corev1.Container{Ports: []corev1.ContainerPort{{HostPort: port}}}
		c.Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: resource.MustParse(memory)}
		p := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{c}}}
		if tolerates {
			p.Spec.Tolerations = []corev1.Toleration{{Key: "gpu"}}
		}
		return p
	}
	spread := pod("1", "1Gi", 80, false)
	spread.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{MaxSkew: 1}}
	for _, tt := range []struct {
		message string
		p       *corev1.Pod
		want    bool
	}{
		{"0/2 nodes are available: 2 node(s) didn't match pod topology spread constraints.", spread, false},
		{"0/2 nodes are available: 2 Insufficient cpu.", pod("1", "1Gi", 80, false), true},
		{"0/2 nodes are available: 2 Insufficient cpu.", pod("1", "1Mi", 0, false), true},
		{"0/2 nodes are available: 2 Insufficient cpu.", pod("2", "1Mi", 0, false), true},
		{"0/2 nodes are available: 2 Insufficient cpu.", pod("999m", "1Gi", 80, false), false},
		{"0/2 nodes are available: 1 Insufficient cpu, 1 Insufficient memory.", pod("1", "1Mi", 80, false), false},
		{"0/2 nodes are available: 2 Too many pods.", pod("1m", "1Mi", 0, false), true},
		{"0/2 nodes are available: 2 node(s) didn't have free ports for the requested pod ports.", pod("1m", "1Mi", 80, false), true},
		{"0/2 nodes are available: 2 node(s) didn't have free ports for the requested pod ports.", pod("1", "1Gi", 81, false), false},
		{"0/2 nodes are available: 2 Insufficient cpu.", pod("1", "1Gi", 80, true), false},
	} {
		waiting := pod("1", "1Gi", 80, false)
		waiting.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable, Message: tt.message}}
		if got := AwaitsAs(tt.p, waiting); got != tt.want {
			t.Errorf("%s: %v: got %t", tt.message, tt.p.Spec.Containers, got)
		}
	}
}

// TestCrowdedOut: Pods that are on nodes keep one off, also by the volume claim that they use.
func TestCrowdedOut(t *testing.T) {
	for message, want := range map[string]bool{
		"0/2 nodes are available: 2 Insufficient cpu.": true,
		"0/2 nodes are available: 2 node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod.": true,
		"0/2 nodes are available: 2 node(s) were unschedulable.": false,
	} {
		p := &corev1.Pod{Status: corev1.PodStatus{Conditions: []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable, Message: message}}}}
		if CrowdedOut(p) != want {
			t.Errorf("%s: want %t", message, want)
		}
	}
}

// TestReasons: what PostFilter plugins came to is none of them, whichever comes first.
func TestReasons(t *testing.T) {
	const why = "0/3 nodes are available: 1 node(s) were unschedulable, 2 Insufficient memory"
	for _, behind := range []string{
		"", ".", ". preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
		". no new claims to deallocate, preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.",
		". preemption: not eligible due to preemptionPolicy=Never., no new claims to deallocate", ". All PostFilter plugins are skipped",
	} {
		if got := Reasons(why + behind); got != why {
			t.Errorf("%q: %q", behind, got)
		}
	}
	const other = "no queue admits it. It waits"
	if got := Reasons(other); got != other {
		t.Errorf("%q", got)
	}
}
