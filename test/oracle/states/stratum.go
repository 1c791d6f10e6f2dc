package states

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// stratum is what a state is about. States drawn without one hardly ever have
// more than a dozen Pods, and want a Pod more or less: what controllers do with
// many is drawn on purpose, and often enough to count.
type stratum int

const (
	anything stratum = iota
	// circles are Pods whose order under the comparison is a circle.
	circles
	// crowds are Pods of many siblings on few nodes.
	crowds
	// rankings are more Pods than Go's sort keeps in order where they tie,
	// some of which are deleted.
	rankings
	// bursts are more creations, or deletions, than one sync makes.
	bursts
	// adoptions are orphans beside Pods that the set owns.
	adoptions
)

func (d draw) stratum() stratum {
	switch {
	case d.chance(10):
		return circles
	case d.chance(24):
		return crowds
	case d.chance(35):
		return rankings
	case d.chance(70):
		return bursts
	case d.chance(72):
		return adoptions
	default:
		return anything
	}
}

// settle draws what the state's stratum demands.
func (s *scene) settle() {
	switch s.stratum {
	case circles:
		s.circle()
	case crowds:
		s.crowd()
	case adoptions:
		s.vary.strangers = 0
	case rankings:
		s.vary.strangers = mostly(s.draw, 0, 40, 8)
		s.vary.phases = s.vary.phases && s.chance(30)
	case bursts:
		s.vary.strangers = mostly(s.draw, 0, 30, 3)
	}
}

// count is how many Pods the state has.
func (s *scene) count() int {
	switch {
	case s.stratum == rankings:
		return s.between(15, 40)
	case s.stratum == bursts && s.chance(12):
		return s.between(501, 700)
	case s.stratum == bursts:
		return s.between(0, 5)
	case s.stratum == adoptions, s.chance(20):
		return s.between(4, 12)
	default:
		return 8 - s.between(0, 8)
	}
}

// orphan takes some Pods' controllers away, the labels as they are.
func (s *scene) orphan() {
	if s.stratum != adoptions {
		return
	}
	for i, p := range s.pods {
		if i == 0 || i > 1 && s.chance(50) {
			p.OwnerReferences = nil
		}
	}
}

// missing is how many Pods more than it has the set desires; below 0 it has too
// many.
func (s *scene) missing(active int) int {
	switch {
	case s.stratum == rankings || s.stratum == adoptions:
		return -s.between(min(1, active), max(active-1, 1))
	case s.stratum == bursts && active > 500:
		return -s.between(max(active-30, 0), active)
	case s.stratum == bursts:
		return s.between(495, 700)
	default:
		return -mostly(s.draw, 1, 75, 2, 3, 0, -1, -2, -4, -7, 5, active/2, active)
	}
}

// twice gives a set or Pod a second controller reference, which the API would
// refuse and files may hold: the first one counts.
func (s *scene) twice(obj metav1.Object) {
	if !s.chance(3) {
		return
	}
	more := controlledBy("apps/v1", "ReplicaSet", "other-0", "uid-other-0")
	if s.chance(50) {
		obj.SetOwnerReferences(append(more, obj.GetOwnerReferences()...))
		return
	}
	obj.SetOwnerReferences(append(obj.GetOwnerReferences(), more...))
}

// combined are selectors of several requirements, pairs among them.
func combined() []*metav1.LabelSelector {
	in := where(labelApp, metav1.LabelSelectorOpIn, web, old).MatchExpressions
	back := where(labelTier, metav1.LabelSelectorOpNotIn, "back").MatchExpressions
	exists := where(labelTier, metav1.LabelSelectorOpExists).MatchExpressions
	return []*metav1.LabelSelector{
		{MatchExpressions: slices.Concat(in, back)},
		{MatchExpressions: slices.Concat(in, exists)},
		{MatchLabels: map[string]string{labelApp: web}, MatchExpressions: back},
		{MatchLabels: map[string]string{labelApp: web}, MatchExpressions: slices.Concat(in, back)},
	}
}

// repeated are conditions of which one comes twice, in two states.
func repeated(c appsv1.ReplicaSetCondition) []appsv1.ReplicaSetCondition {
	cleared := c
	cleared.Status = "False"
	return []appsv1.ReplicaSetCondition{cleared, c}
}
