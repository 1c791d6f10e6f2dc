package cloneset

import (
	"context"
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

const budgetGate = "PodUnavailableBudgetUpdateGate=true"

var budgets = schema.GroupVersionResource{Group: "policy.kruise.io", Version: "v1alpha1", Resource: "podunavailablebudgets"}

// budget makes a PodUnavailableBudget of the CloneSet that lets so many of its
// pods be unavailable, and waits until its own controller has counted them.
func budget(maxUnavailable int64) func(*world) {
	return func(w *world) {
		w.Helper()
		w.budget("maxUnavailable", maxUnavailable, int64(len(w.pods()))-maxUnavailable)
	}
}

// budget makes a PodUnavailableBudget of the CloneSet with an amount, and waits
// until all its pods are counted as available, and so many as desired.
func (w *world) budget(field string, amount, desired int64) {
	w.Helper()
	all := env.dynamic.Resource(budgets).Namespace(w.namespace)
	_, err := all.Create(w.Context(), &unstructured.Unstructured{Object: object{
		"apiVersion": budgets.GroupVersion().String(), "kind": "PodUnavailableBudget", "metadata": object{"name": web},
		"spec": object{
			"targetRef": object{"apiVersion": "apps.kruise.io/v1alpha1", "kind": "CloneSet", "name": web},
			field:       amount,
		},
	}}, metav1.CreateOptions{})
	w.check(err)
	pods := int64(len(w.pods()))
	w.waitFor("the budget to be counted", func(ctx context.Context) (bool, error) {
		made, err := all.Get(ctx, web, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		status, _, err := unstructured.NestedMap(made.Object, "status")
		if err != nil || status["currentAvailable"] != pods || status["desiredAvailable"] != desired {
			return false, fmt.Errorf("its status is %v: %w", status, err)
		}
		return bound(w.pods()), nil
	})
}

// bound reports whether all pods know their budget.
func bound(pods []*corev1.Pod) bool {
	for _, p := range pods {
		if p.Annotations["kruise.io/related-pub"] != web {
			return false
		}
	}
	return true
}

// TestBudgets holds plans about budgets to a manager with their gate on.
func TestBudgets(t *testing.T) {
	runScenarios(t, []scenario{
		{
			name: "a budget lets two of four pods through", set: []func(object){replicas(4), update("maxUnavailable", "100%")},
			setup: budget(2), gates: budgetGate,
			change: each(order("a-1", "a-4", "a-3", "a-2"), image("main:2"), patch(`{"updateStrategy":{"priorityStrategy":{"orderPriority":[{"orderedKey":"group"}]}}}`)),
			shows:  []string{"BudgetTaken", "BudgetCounts", "BudgetExhausted", "BudgetAhead", "BudgetCheck"},
		},
		{
			name: "a budget without room holds all of them", set: []func(object){update("maxUnavailable", "100%")},
			setup: budget(0), change: image("main:2"), gates: budgetGate,
			shows: []string{"BudgetExhausted", "BudgetCheck"},
		},
		{
			name: "without the gate nobody asks", set: []func(object){update("maxUnavailable", "100%")},
			setup: budget(0), change: image("main:2"),
			shows: []string{"InPlaceUpdate"},
		},
	})
}

// TestBudgetOfDeletions: a budget without room refuses the first deletion, with
// which the sync fails; one with room for one refuses the second, until it has
// been counted again.
func TestBudgetOfDeletions(t *testing.T) {
	for _, c := range []struct {
		name string
		room int64
	}{{"no room", 0}, {"room for one", 1}} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.plain()
			w.settled(update("maxUnavailable", "100%"))
			budget(c.room)(w)
			first, second := w.pods()[0], w.pods()[1]
			plan, err := w.ask(w.Context(), "--specified-delete", first.Name, "--specified-delete", second.Name)
			w.check(err)
			if !forbidden(plan) || int64(plan.Summary.DeletePossible) != c.room || plan.Summary.DeleteCertain > 0 {
				t.Errorf("%s %v", plan.Answer, plan.Evidence)
			}
			w.patch(fmt.Sprintf(`{"scaleStrategy":{"podsToDelete":[%q,%q]}}`, first.Name, second.Name))
			w.waitForRefusal()
			if left := remaining(w.pods(), first.UID, second.UID); (left == 2) != (c.room == 0) {
				t.Errorf("%d of 2 pods are left", left)
			}
		})
	}
}

func forbidden(d *decision.Decision) bool {
	return slices.ContainsFunc(d.Evidence, func(e decision.Evidence) bool { return e.Rule == "BudgetForbids" })
}

// waitForRefusal waits until the manager says that a deletion was refused.
func (w *world) waitForRefusal() {
	w.Helper()
	w.waitFor("a deletion to be refused", func(ctx context.Context) (bool, error) {
		events, err := env.client.CoreV1().Events(w.namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			return false, err
		}
		return slices.ContainsFunc(events.Items, func(e corev1.Event) bool { return e.Reason == "FailedDelete" }), nil
	})
}

// TestBudgetOfScaleIn: a budget counts with the replicas that are wanted, so one
// that lets no pod be unavailable is no obstacle to a scale-in. An absolute
// minimum is: as many go as are above it, in the order of the scale-in.
func TestBudgetOfScaleIn(t *testing.T) {
	for _, c := range []struct {
		name, field     string
		amount, desired int64
		left            int
	}{{"none may be unavailable", "maxUnavailable", 0, 3, 1}, {"two at least", "minAvailable", 2, 2, 2}} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.plain()
			w.settled(update("maxUnavailable", "100%"))
			w.budget(c.field, c.amount, c.desired)
			cheap := w.pods()[1]
			w.patchPod(cheap.Name, `{"metadata":{"annotations":{"controller.kubernetes.io/pod-deletion-cost":"-1"}}}`)
			plan, err := w.ask(w.Context(), "--replicas", "1")
			w.check(err)
			first := plan.Actions[0]
			if first.Object.Name != cheap.Name || first.Certainty != decision.Certain || forbidden(plan) != (c.left > 1) || plan.Summary.Delete() != 3-c.left {
				t.Errorf("%s %v %v", plan.Answer, plan.Actions, plan.Evidence)
			}
			w.patch(`{"replicas":1}`)
			if c.left > 1 {
				w.waitForRefusal()
			}
			w.waitFor("the scale-in", func(context.Context) (bool, error) { return len(w.pods()) == c.left, nil })
			if slices.ContainsFunc(w.pods(), func(p *corev1.Pod) bool { return p.UID == cheap.UID }) {
				t.Errorf("%s is left", cheap.Name)
			}
			plan, err = w.ask(w.Context())
			w.check(err)
			if forbidden(plan) != (c.left > 1) || plan.Pending {
				t.Errorf("then %s %v", plan.Answer, plan.Evidence)
			}
		})
	}
}

// remaining counts the pods with these UIDs that nobody has deleted.
func remaining(pods []*corev1.Pod, uids ...types.UID) int {
	n := 0
	for _, p := range pods {
		if slices.Contains(uids, p.UID) && p.DeletionTimestamp == nil {
			n++
		}
	}
	return n
}
