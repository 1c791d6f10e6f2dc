package replicaset_test

import (
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/states"
)

const burst = 500

// Doing what the plan says brings the set to its size, up to the burst.
func TestThePlanReachesTheSpec(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSituation(t)
		d := s.decide(t, states.Now)
		if !d.Gate.Open || len(d.Actions) == 0 || !s.createsMatching() {
			return
		}
		s.apply(d)
		s.Expectations = nil
		after := s.decide(t, states.Now)
		active, want := after.Count.Of.Int("active"), after.Count.Of.Int("spec.replicas")
		before := d.Count.Of.Int("active")
		want = min(max(want, before-burst), before+burst)
		if active != want {
			t.Fatalf("%d active after %+v, want %d", active, d.Summary, want)
		}
	})
}

// target is the set in the form of a ReplicaSet's selector and template.
func (s situation) target() (*metav1.LabelSelector, *corev1.PodTemplateSpec) {
	for _, rs := range s.ReplicaSets {
		if rs.Name == states.Name {
			return rs.Spec.Selector, &rs.Spec.Template
		}
	}
	i := slices.IndexFunc(s.ReplicationControllers, func(rc *corev1.ReplicationController) bool { return rc.Name == states.Name })
	rc := s.ReplicationControllers[i]
	if rc.Spec.Selector == nil {
		return nil, rc.Spec.Template
	}
	return &metav1.LabelSelector{MatchLabels: rc.Spec.Selector}, rc.Spec.Template
}

// createsMatching leaves out sets whose new pods would not be their own.
func (s situation) createsMatching() bool {
	selector, template := s.target()
	sel, err := metav1.LabelSelectorAsSelector(selector)
	return err == nil && len(template.Labels) > 0 && sel.Matches(labels.Set(template.Labels))
}

// apply changes the pods as the actions say; of possible victims the last
// ones go.
func (s *situation) apply(d *decision.Decision) {
	lucky := d.Summary.PossibleAmong - d.Summary.DeletePossible
	for _, a := range d.Actions {
		switch {
		case a.Verb == decision.Create:
			s.create(a.Count, d.Target)
		case a.Verb == decision.Adopt:
			s.pod(a.Object).OwnerReferences = ownedBy(d.Target)
		case a.Verb == decision.Release:
			s.pod(a.Object).OwnerReferences = nil
		case a.Certainty == decision.Possible && lucky > 0:
			lucky--
		default:
			victim := s.pod(a.Object)
			s.Pods = slices.DeleteFunc(s.Pods, func(p *corev1.Pod) bool { return p == victim })
		}
	}
}

func (s *situation) pod(ref decision.Ref) *corev1.Pod {
	i := slices.IndexFunc(s.Pods, func(p *corev1.Pod) bool { return p.Name == ref.Name && p.Namespace == ref.Namespace })
	return s.Pods[i]
}

func (s *situation) create(n int, owner decision.Ref) {
	_, template := s.target()
	for i := range n {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
			Namespace: owner.Namespace, Name: fmt.Sprintf("new-%d", i), UID: types.UID(fmt.Sprintf("new-%d", i)),
			Labels: template.Labels, OwnerReferences: ownedBy(owner),
		}}
		s.Pods = append(s.Pods, p)
	}
}

func ownedBy(owner decision.Ref) []metav1.OwnerReference {
	refs := controlledBy(owner.Kind, owner.Name, types.UID(owner.UID))
	refs[0].APIVersion = owner.APIVersion
	return refs
}
