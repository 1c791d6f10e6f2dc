package rollouts

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// TestBudget holds a rollout that a budget slows down to the real manager, whose
// other controller counts the budget.
func TestBudget(t *testing.T) {
	const gate = "PodUnavailableBudgetUpdateGate=true"
	c := start(t)
	if err := c.RestartWith(t.Context(), controlplane.Kruise, "--feature-gates="+gate); err != nil {
		t.Fatal(err)
	}
	c.settled(t, "guarded", 3, `{"type":"InPlaceIfPossible","maxUnavailable":3,"priorityStrategy":{"orderPriority":[{"orderedKey":"order"}]}}`)
	c.kubectl(t, bytes.NewBufferString(`{"apiVersion":"policy.kruise.io/v1alpha1","kind":"PodUnavailableBudget","metadata":{"name":"guard"},
		"spec":{"targetRef":{"apiVersion":"apps.kruise.io/v1alpha1","kind":"CloneSet","name":"guarded"},"maxUnavailable":1}}`), "create", "-f", "-")
	err := c.WaitFor(t.Context(), "the budget to be counted", func(context.Context) (bool, error) {
		status := c.kubectl(t, nil, "get", "podunavailablebudgets.policy.kruise.io", "guard", "-o", "jsonpath={.status.unavailableAllowed}/{.status.currentAvailable}")
		if status == "1/3" {
			return true, nil
		}
		return false, fmt.Errorf("it is %s", status)
	})
	if err != nil {
		t.Fatal(err)
	}
	c.hold(t, "guarded", step{flags: []string{"--image", "main=main:2", "--kruise-feature-gates", gate}, outcome: decision.Stable,
		patch: `{"spec":{"template":{"spec":{"containers":[{"name":"main","image":"main:2"}]}}}}`})
}
