package states

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// variety says which traits differ between the pods of a state, and how those
// that do not are alike.
type variety struct {
	nodes, phases, readiness, costs, restarts bool
	ready, created                            times
	alike                                     int32
	// strangers is how many pods in a hundred are not plainly the target's own.
	strangers int
}

// times are one for all pods, or one for each.
type times struct {
	differ bool
	shared metav1.Time
}

func newVariety(d draw) variety {
	v := variety{alike: int32(d.between(0, 2)), restarts: d.chance(50), nodes: d.chance(40), strangers: mostly(d, 35, 40, 0)}
	v.ready = times{differ: d.chance(75), shared: ago(d.between(1, 5000))}
	v.created = times{differ: d.chance(60), shared: ago(d.between(1, 5000))}
	if d.chance(50) {
		v.phases, v.readiness, v.costs = d.chance(50), d.chance(50), d.chance(60)
	}
	return v
}

// circle makes pods differ by nothing but restarts, UID and a few seconds
// inside one bucket: what a circle in the order is made of.
func (s *scene) circle() {
	s.clock.bases = []int{s.clock.middle()}
	s.vary = variety{restarts: true, ready: times{differ: true}, created: times{shared: ago(s.clock.middle())}}
}

// crowd makes pods differ by their nodes and labels, under several siblings.
func (s *scene) crowd() {
	s.vary = variety{nodes: true, strangers: 60, ready: times{shared: ago(100)}, created: times{shared: ago(200)}}
}

func (t times) time(c clock) metav1.Time {
	if t.differ {
		return c.time()
	}
	return t.shared
}

func (s *scene) node() string {
	if !s.vary.nodes {
		return "n1"
	}
	return pick(s.draw, "n1", "n2", "n3", "n1", "n2", "")
}

func (s *scene) phase() corev1.PodPhase {
	if !s.vary.phases {
		return mostly(s.draw, corev1.PodRunning, 4, corev1.PodSucceeded, corev1.PodFailed)
	}
	return pick(s.draw, corev1.PodRunning, corev1.PodPending, corev1.PodUnknown, "", "Strange", corev1.PodSucceeded, corev1.PodFailed)
}

// podConditions holds a Ready condition mostly, sometimes two or one without a
// time: the first one decides.
func (s *scene) podConditions() []corev1.PodCondition {
	ready := corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: s.vary.ready.time(s.clock)}
	if !s.vary.readiness {
		return []corev1.PodCondition{ready}
	}
	not, unknown, initialized := ready, ready, ready
	not.Status, unknown.Status, initialized.Type = corev1.ConditionFalse, corev1.ConditionUnknown, corev1.PodInitialized
	return pick(s.draw, []corev1.PodCondition{ready}, nil, []corev1.PodCondition{not}, []corev1.PodCondition{initialized, ready},
		[]corev1.PodCondition{unknown}, []corev1.PodCondition{not, ready}, []corev1.PodCondition{ready, not}, []corev1.PodCondition{initialized})
}

func (s *scene) cost(p *corev1.Pod) {
	if s.vary.costs && s.chance(60) {
		p.Annotations = map[string]string{corev1.PodDeletionCost: pick(s.draw,
			"0", "1", "-1", "7", "-0", "-008", "2147483647", "-2147483648",
			"", "+1", "008", "00", "two", "1.5", " 1", "2147483648", "-2147483649", "-", "0x1")}
	}
}

// restarts fills the counters: of containers, of sidecars, and of ordinary
// init containers, which do not count.
func (s *scene) restarts(p *corev1.Pod) {
	if !s.vary.restarts {
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "main", RestartCount: s.vary.alike}}
		return
	}
	for _, name := range []string{"main", "second"}[:pick(s.draw, 1, 2, 0)] {
		p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, corev1.ContainerStatus{Name: name, RestartCount: pick[int32](s.draw, 1, 0, 2)})
	}
	if !s.chance(50) {
		return
	}
	p.Spec.InitContainers = []corev1.Container{
		{Name: "sidecar", RestartPolicy: new(corev1.ContainerRestartPolicyAlways)}, {Name: "setup"},
	}
	for _, name := range []string{"sidecar", "setup", "gone"}[:s.between(1, 3)] {
		p.Status.InitContainerStatuses = append(p.Status.InitContainerStatuses, corev1.ContainerStatus{Name: name, RestartCount: int32(s.between(0, 2))})
	}
}
