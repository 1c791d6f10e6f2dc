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

// chargeBudgets charges the picked updates and deletions to their budgets, before
// they are made.
func (s *sync) chargeBudgets(w *cluster.Model, picked []decision.Action) {
	chosen, deleted := map[string]bool{}, map[string]bool{}
	for _, a := range picked {
		chosen[a.Object.Name] = true
		if a.Verb == decision.Delete && a.Object.Kind == view.Pods.Kind {
			deleted[a.Object.Name] = true
		}
	}
	charged := charges{w: w, namespace: s.set.GetNamespace(), budgets: map[string]*counted{}}
	for _, u := range s.d.Updates {
		if u.Budget == nil || u.Budget.Rule != BudgetTaken || u.Choice != nil && !chosen[u.Object.Name] {
			continue
		}
		charged.add(u.Object.Name, u.Budget.Facts.Str("budget"), func(st *budgetStatus) *stamps { return &st.UnavailablePods })
	}
	for _, m := range s.pods {
		if !deleted[m.Name] || !s.behaviour.deletionBudgets {
			continue
		}
		if b, _ := s.guard(m); b != nil {
			charged.add(m.Name, b.name, func(st *budgetStatus) *stamps { return &st.DisruptedPods })
		}
	}
	for _, name := range sortedKeys(charged.budgets) {
		charged.budgets[name].put(w)
	}
}

// charges are the budgets that a sync is charged to.
type charges struct {
	w         *cluster.Model
	namespace string
	budgets   map[string]*counted
}

// add charges a Pod to the named budget, and puts it on the record that in returns.
func (c charges) add(pod, budget string, in func(*budgetStatus) *stamps) {
	b := c.budgets[budget]
	if b == nil {
		var ok bool
		if b, ok = budgetIn(c.w, c.namespace, budget); !ok {
			return
		}
		c.budgets[budget] = b
	}
	b.status.UnavailableAllowed--
	record := in(&b.status)
	if *record == nil {
		*record = stamps{}
	}
	(*record)[pod] = c.w.Stamp()
}

// counted is a budget in a model cluster.
type counted struct {
	*unstructured.Unstructured
	status budgetStatus
}

func budgetIn(w *cluster.Model, namespace, name string) (*counted, bool) {
	obj, ok := w.Get(view.PodUnavailableBudgets, namespace, name)
	if !ok {
		return nil, false
	}
	return countedOf(obj)
}

func countedOf(obj metav1.Object) (*counted, bool) {
	u, typed := obj.(*unstructured.Unstructured)
	if !typed {
		return nil, false
	}
	status, ok := budgetStatusOf(u)
	return &counted{Unstructured: u.DeepCopy(), status: status}, ok
}

func (c *counted) put(w *cluster.Model) {
	var fields map[string]any
	text, err := json.Marshal(c.status)
	if err != nil || json.Unmarshal(text, &fields) != nil {
		return // numbers and times: they can be encoded
	}
	c.Object["status"] = fields
	w.Put(view.PodUnavailableBudgets, c.Unstructured)
}

// followBudgets lets the budgets' own controller count, whenever something has
// happened, those that it counts from nothing but this set's pods.
func (s *sync) followBudgets(w *cluster.Model) {
	if !s.behaviour.budgets && !s.behaviour.deletionBudgets {
		return
	}
	due := map[time.Time]bool{}
	w.Follow(func() {
		for _, obj := range w.All(view.PodUnavailableBudgets) {
			b, ok := countedOf(obj)
			if !ok || b.GetNamespace() != s.set.GetNamespace() {
				continue
			}
			if pods, known := s.podsOf(w.All(view.Pods), b); known {
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
		b.put(w)
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
	return s.countsMore(s.refusing) || s.forbidding != nil && s.countsMore(s.forbidding.name)
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
	_, known := s.podsOf(s.r.All(view.Pods), b)
	return !known
}
