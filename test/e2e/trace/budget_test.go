package trace

import (
	"context"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestBudgetHoldsCloneSet scales in below the minimum of a PodUnavailableBudget:
// one pod goes, and that the others stay is the budget's doing, not the
// manager's. With another minimum they go.
func TestBudgetHoldsCloneSet(t *testing.T) {
	on, untyped, clones := startCloneSet(t, 4)
	kind := view.PodUnavailableBudgets
	budgets := untyped.Resource(kind.GroupVersion().WithResource(kind.Resource)).Namespace("default")
	_, err := budgets.Create(t.Context(), &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": kind.GroupVersion().String(), "kind": kind.Kind, "metadata": map[string]any{"name": "web"},
		"spec": map[string]any{
			"targetRef":    map[string]any{"apiVersion": "apps.kruise.io/v1alpha1", "kind": "CloneSet", "name": "web"},
			"minAvailable": int64(3),
		},
	}}, metav1.CreateOptions{})
	check(t, err)
	check(t, on.WaitFor(t.Context(), "the budget to be counted", func(ctx context.Context) (bool, error) {
		budget, err := budgets.Get(ctx, "web", metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		allowed, _, err := unstructured.NestedInt64(budget.Object, "status", "unavailableAllowed")
		return allowed == 1, err
	}))

	r := startTrace(t, on.Kubeconfig(), "clonesets/web", "-n", "default")
	scaleClones(t, clones, 1)
	r.await(30*time.Second, "word of the budget", verdictOn("web", entry.Refused, "BudgetForbids"))
	time.Sleep(15 * time.Second) // longer than a delay is tolerated
	_, err = budgets.Patch(t.Context(), "web", types.MergePatchType, []byte(`{"spec":{"minAvailable":0}}`), metav1.PatchOptions{})
	check(t, err)
	r.await(2*time.Minute, "step with the manager again", verdictOn("web", entry.Idle))
	if sum := r.stop(); sum.Misses != 0 || sum.Late != 0 || sum.Acts != 3 {
		t.Errorf("got %+v", sum)
	}
}
