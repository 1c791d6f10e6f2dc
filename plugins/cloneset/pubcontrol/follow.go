package pubcontrol

import (
	"encoding/json"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// counted is a budget in a model cluster.
type counted struct {
	Unstructured *unstructured.Unstructured
	status       budgetStatus
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
func (b *counted) stored() *unstructured.Unstructured {
	var fields map[string]any
	text, err := json.Marshal(b.status)
	if err == nil && json.Unmarshal(text, &fields) == nil { // numbers and times: they can be encoded
		b.Unstructured.Object["status"] = fields
	}
	return b.Unstructured
}

// Follow lets the budgets' own controller count, whenever something has
// happened, those that it counts from nothing but this set's pods.
func (c *Control) Follow(w *cluster.Model) {
	if !c.updates && !c.deletions {
		return
	}
	due := map[time.Time]bool{}
	w.Follow(func() {
		for _, obj := range w.AllMetadata(view.PodUnavailableBudgets) {
			b, ok := countedOf(view.Decoded(obj))
			if !ok || b.Unstructured.GetNamespace() != c.set.GetNamespace() {
				continue
			}
			if pods, known := c.podsOf(w.AllMetadata(view.Pods), b); known {
				c.recount(w, b, pods, due)
				w.Note(decision.Ruled(cluster.OthersFollow))
			}
		}
	})
}

// recount stores what a budget's controller counts, and lets it look again when
// a record is over.
func (c *Control) recount(w *cluster.Model, b *counted, pods []*corev1.Pod, due map[time.Time]bool) {
	next, ends := c.tally(b, pods, w.Now())
	for _, at := range ends {
		if !due[at] {
			due[at] = true
			w.After(at.Sub(w.Now())+2*time.Millisecond, func() {})
		}
	}
	for _, p := range pods {
		if admission.Budget(p) == "" {
			c.bind(w, p, b.Unstructured.GetName())
		}
	}
	if !next.equal(b.status) {
		b.status = next
		w.Put(view.PodUnavailableBudgets, b.stored())
	}
}

// bind tells a pod its budget, as webhook and controller do.
func (c *Control) bind(w *cluster.Model, p *corev1.Pod, budget string) {
	if p, ok := cluster.GetPod(w, p.Namespace, p.Name); ok {
		if p.Annotations == nil {
			p.Annotations = map[string]string{}
		}
		p.Annotations[admission.BudgetAnnotation] = budget
		w.Put(view.Pods, p)
	}
}

// CountsMore reports whether a budget counts more than the set's own Pods: when it allows
// one again is not simulated.
func (c *Control) CountsMore(budget string) bool {
	obj, ok := c.r.Held(view.PodUnavailableBudgets, c.set.GetNamespace(), budget)
	if !ok {
		return false
	}
	b, ok := countedOf(obj)
	if !ok {
		return true
	}
	_, known := c.podsOf(c.r.AllMetadata(view.Pods), b)
	return !known
}
