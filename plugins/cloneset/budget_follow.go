package cloneset

import (
	"encoding/json"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/guard"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// counted is a budget in a model cluster.
type counted struct {
	*unstructured.Unstructured
	status budgetStatus
}

func countedOf(obj metav1.Object) (*counted, bool) {
	u, typed := obj.(*unstructured.Unstructured)
	if !typed {
		return nil, false
	}
	status, ok := budgetStatusOf(u)
	return &counted{Unstructured: u.DeepCopy(), status: status}, ok
}

// stored is the budget with what is counted.
func (c *counted) stored() *unstructured.Unstructured {
	var fields map[string]any
	text, err := json.Marshal(c.status)
	if err == nil && json.Unmarshal(text, &fields) == nil { // numbers and times: they can be encoded
		c.Object["status"] = fields
	}
	return c.Unstructured
}

// followBudgets lets the budgets' own controller count, whenever something has
// happened, those that it counts from nothing but this set's pods.
func (s *sync) followBudgets(w *cluster.Model) {
	if !s.behaviour.Budgets && !s.behaviour.DeletionBudgets {
		return
	}
	due := map[time.Time]bool{}
	w.Follow(func() {
		for _, obj := range w.AllMetadata(view.PodUnavailableBudgets) {
			b, ok := countedOf(view.Decoded(obj))
			if !ok || b.GetNamespace() != s.set.GetNamespace() {
				continue
			}
			if pods, known := s.podsOf(w.AllMetadata(view.Pods), b); known {
				s.recount(w, b, pods, due)
				w.Note(decision.Ruled(cluster.OthersFollow))
			}
		}
	})
}

// recount stores what a budget's controller counts, and lets it look again when
// a record is over.
func (s *sync) recount(w *cluster.Model, b *counted, pods []*corev1.Pod, due map[time.Time]bool) {
	next, ends := s.tally(b, pods, w.Now())
	for _, at := range ends {
		if !due[at] {
			due[at] = true
			w.After(at.Sub(w.Now())+2*time.Millisecond, func() {})
		}
	}
	for _, p := range pods {
		if guard.Budget(p) == "" {
			s.bind(w, p, b.GetName())
		}
	}
	if !next.equal(b.status) {
		b.status = next
		w.Put(view.PodUnavailableBudgets, b.stored())
	}
}

// bind tells a pod its budget, as webhook and controller do.
func (s *sync) bind(w *cluster.Model, p *corev1.Pod, budget string) {
	if p, ok := cluster.GetPod(w, p.Namespace, p.Name); ok {
		if p.Annotations == nil {
			p.Annotations = map[string]string{}
		}
		p.Annotations[guard.Annotation] = budget
		w.Put(view.Pods, p)
	}
}

// beyond reports whether a budget holds up an update or a deletion which counts
// more than the set's own pods: when it allows one again is not simulated.
func (s *sync) beyond() bool {
	return s.countsMore(s.budgets.refusing) || s.budgets.forbidding != nil && s.countsMore(s.budgets.forbidding.name)
}

func (s *sync) countsMore(budget string) bool {
	obj, ok := s.r.Held(view.PodUnavailableBudgets, s.set.GetNamespace(), budget)
	if !ok {
		return false
	}
	b, ok := countedOf(obj)
	if !ok {
		return true
	}
	_, known := s.podsOf(s.r.AllMetadata(view.Pods), b)
	return !known
}
