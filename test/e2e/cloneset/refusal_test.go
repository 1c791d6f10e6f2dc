package cloneset

import (
	"errors"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestWebhook holds what the tool says the webhook refuses to the real one.
func TestWebhook(t *testing.T) {
	w := newWorld(t)
	w.plain()
	w.settled(update("type", "InPlaceOnly"))
	for _, s := range []struct {
		name, patch string
		args        []string
		refused     bool
	}{
		{"nothing may ever be updated", `{"updateStrategy":{"maxUnavailable":0}}`, []string{"--max-unavailable", "0"}, true},
		{"a surge where pods are only updated in place", `{"updateStrategy":{"maxSurge":1}}`, []string{"--max-surge", "1"}, true},
		{"a pod that is not there", `{"scaleStrategy":{"podsToDelete":["none"]}}`, []string{"--specified-delete", "none"}, true},
		{"recreation with a surge and nothing unavailable", `{"updateStrategy":{"type":"ReCreate","maxSurge":1,"maxUnavailable":0}}`,
			[]string{"--update-type", "ReCreate", "--max-surge", "1", "--max-unavailable", "0"}, false},
		{"another number of replicas", `{"replicas":4}`, []string{"--replicas", "4"}, false},
	} {
		t.Run(s.name, func(t *testing.T) {
			w := &world{T: t, namespace: w.namespace}
			predicted, answer := w.predicted(s.args)
			_, err := w.sets().Patch(t.Context(), web, types.MergePatchType, []byte(`{"spec":`+s.patch+`}`), metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
			if predicted != s.refused || (err != nil) != s.refused {
				t.Errorf("want refused %v; the tool says %q, the server %v", s.refused, answer, err)
			}
			env.report.verdict(t.Name(), answer, err, predicted == (err != nil))
		})
	}
}

// predicted reports whether the tool says that the change would be refused: in a
// plan, or in an error that names the flag and its value.
func (w *world) predicted(args []string) (refused bool, answer string) {
	w.Helper()
	out, problem := w.callPlan(args)
	if len(out) == 0 {
		if !strings.Contains(problem, args[0]+": ") || !strings.Contains(problem, strconv.Quote(args[1])) {
			w.Fatalf("no plan, and no error about %v: %s", args, problem)
		}
		return true, problem
	}
	plan, err := parse(out)
	w.check(err)
	return len(plan.Refused) > 0, plan.Answer
}

// predictedPlan calls the tool, which fails where a change would be refused.
func (w *world) predictedPlan(args []string) *decision.Decision {
	w.Helper()
	out, _ := w.callPlan(args)
	plan, err := parse(out)
	w.check(err)
	return plan
}

// callPlan returns what the tool prints on its two streams.
func (w *world) callPlan(args []string) (out []byte, problem string) {
	w.Helper()
	all := append([]string{"plan", "cloneset/" + web, "-o", "json", "--namespace", w.namespace, "--kubeconfig", env.Kubeconfig()}, args...)
	out, err := exec.CommandContext(w.Context(), env.tool, all...).Output()
	exit := (*exec.ExitError)(nil)
	switch {
	case err == nil:
		return out, ""
	case errors.As(err, &exit):
		return out, string(exit.Stderr)
	}
	w.Fatal(err)
	return nil, ""
}
