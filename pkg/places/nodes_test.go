package places

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestUnfit: a Pod that fits no node is refused in the scheduler's words.
func TestUnfit(t *testing.T) {
	node := func(change func(*corev1.Node)) *corev1.Node {
		n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1", Labels: map[string]string{"zone": "a", "cores": "8"}}}
		n.Status.Allocatable = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("4"), corev1.ResourceMemory: resource.MustParse("8Gi")}
		change(n)
		return n
	}
	plain := node(func(*corev1.Node) {})
	cordoned := node(func(n *corev1.Node) { n.Spec.Unschedulable = true })
	tainted := node(func(n *corev1.Node) {
		n.Spec.Taints = []corev1.Taint{{Key: "gpu", Value: "yes", Effect: corev1.TaintEffectNoSchedule}}
	})
	preferred := node(func(n *corev1.Node) {
		n.Spec.Taints = []corev1.Taint{{Key: "gpu", Effect: corev1.TaintEffectPreferNoSchedule}}
	})
	bare := node(func(n *corev1.Node) { n.Status.Allocatable = nil })
	asks := func(cpu string) func(*corev1.PodSpec) {
		return func(s *corev1.PodSpec) {
			s.Containers[0].Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}
		}
	}
	tolerates := func(by corev1.Toleration) func(*corev1.PodSpec) {
		return func(s *corev1.PodSpec) { s.Tolerations = []corev1.Toleration{by} }
	}
	needs := func(terms ...corev1.NodeSelectorTerm) func(*corev1.PodSpec) {
		return func(s *corev1.PodSpec) {
			s.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms}}}
		}
	}
	of := func(key string, op corev1.NodeSelectorOperator, values ...string) corev1.NodeSelectorTerm {
		return corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: key, Operator: op, Values: values}}}
	}
	named := corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{"n2"}}}}
	const selector = "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector"
	const taint = "0/1 nodes are available: 1 node(s) had untolerated taint(s)"
	for name, c := range map[string]struct {
		change func(*corev1.PodSpec)
		nodes  []*corev1.Node
		want   string
	}{
		"fits":              {asks("4"), []*corev1.Node{plain}, ""},
		"no node known":     {asks("5"), nil, ""},
		"too much":          {asks("5"), []*corev1.Node{plain, cordoned}, "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable"},
		"one fits":          {asks("1"), []*corev1.Node{cordoned, plain}, ""},
		"capacity not told": {asks("5"), []*corev1.Node{bare}, ""},
		"a device": {func(s *corev1.PodSpec) {
			s.Containers[0].Resources.Requests = corev1.ResourceList{"gpu.com/gpu": resource.MustParse("1")}
		}, []*corev1.Node{plain}, ""},
		"cordon tolerated":         {tolerates(corev1.Toleration{Operator: corev1.TolerationOpExists}), []*corev1.Node{cordoned}, ""},
		"taint":                    {asks("1"), []*corev1.Node{tainted}, taint},
		"taint tolerated":          {tolerates(corev1.Toleration{Key: "gpu", Value: "yes"}), []*corev1.Node{tainted}, ""},
		"taint of another value":   {tolerates(corev1.Toleration{Key: "gpu", Value: "no"}), []*corev1.Node{tainted}, taint},
		"taint of another effect":  {tolerates(corev1.Toleration{Key: "gpu", Value: "yes", Effect: corev1.TaintEffectNoExecute}), []*corev1.Node{tainted}, taint},
		"taint preferred":          {asks("1"), []*corev1.Node{preferred}, ""},
		"selector":                 {func(s *corev1.PodSpec) { s.NodeSelector = map[string]string{"zone": "b"} }, []*corev1.Node{plain}, selector},
		"selector met":             {func(s *corev1.PodSpec) { s.NodeSelector = map[string]string{"zone": "a"} }, []*corev1.Node{plain}, ""},
		"affinity":                 {needs(of("zone", corev1.NodeSelectorOpNotIn, "a")), []*corev1.Node{plain}, selector},
		"one term met":             {needs(of("zone", corev1.NodeSelectorOpIn, "b"), of("cores", corev1.NodeSelectorOpGt, "4")), []*corev1.Node{plain}, ""},
		"another node":             {needs(named), []*corev1.Node{plain}, selector},
		"an empty term":            {needs(corev1.NodeSelectorTerm{}), []*corev1.Node{plain}, selector},
		"a term that is not known": {needs(of("zone", "Near", "a")), []*corev1.Node{plain}, ""},
		"another scheduler":        {func(s *corev1.PodSpec) { asks("5")(s); s.SchedulerName = "own" }, []*corev1.Node{plain}, ""},
	} {
		p := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "main"}}}}
		c.change(&p.Spec)
		if got := Unfit(p, c.nodes); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
