package cloneset

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/inference"
)

// expects asks what the manager may be waiting for.
func (w *world) expects(ctx context.Context) (*inference.Inferred, error) {
	out, err := exec.CommandContext(ctx, env.tool, "expectations", "cloneset/"+web, "-o", "json", "--namespace", w.namespace, "--kubeconfig", env.Kubeconfig()).Output()
	if err != nil {
		return nil, err
	}
	var report inference.Report
	if err := json.Unmarshal(out, &report); err != nil {
		return nil, err
	}
	return report.Inferred, nil
}

func (w *world) waitForVerdict(v inference.Verdict) *inference.Inferred {
	w.Helper()
	var i *inference.Inferred
	w.waitFor("the verdict "+string(v), func(ctx context.Context) (_ bool, err error) {
		if i, err = w.expects(ctx); err != nil {
			return false, err
		}
		if i.Verdict != v {
			err = fmt.Errorf("it is %s: %s", i.Verdict, i.Message)
		}
		return err == nil, err
	})
	w.Logf("%s by %s: %s", i.Verdict, i.Rule, i.Message)
	return i
}

// TestExpectationThatNothingFulfils lets created pods come to be without their
// owner: no event of theirs can tell the manager that they did.
func TestExpectationThatNothingFulfils(t *testing.T) {
	w := newWorld(t)
	w.plain()
	w.settled()
	if i := w.waitForVerdict(inference.Satisfied); i.Rule != inference.SeenInStatus {
		t.Errorf("got %s", i.Rule)
	}
	w.disown()
	w.patch(`{"replicas":4}`)
	w.waitFor("a pod without owner", func(context.Context) (bool, error) { return len(w.pods()) > 3, nil })
	if i := w.waitForVerdict(inference.PossiblyPending); i.Rule != inference.WritesPossiblyPending || i.Creations.Max < 1 || i.Then.Rule != inference.ThenBlocked {
		t.Errorf("got %+v", i)
	}

	// It is blocked indeed: not even scaling down moves it.
	w.patch(`{"replicas":1}`)
	time.Sleep(10 * time.Second)
	if n := len(w.pods()); n < 4 {
		t.Fatalf("it was said to be blocked, and left %d pods", n)
	}
	if i := w.waitForVerdict(inference.PossiblyPending); i.Then.Rule != inference.ThenBlocked {
		t.Errorf("got %+v", i)
	}

	// A restart empties its memory: it goes on.
	w.release("")
	w.waitFor("the manager to go on", func(context.Context) (bool, error) { return len(w.pods()) == 2, nil }) // with the one that is nobody's
	if i := w.waitForVerdict(inference.Satisfied); i.Rule != inference.SeenInStatus {
		t.Errorf("got %s", i.Rule)
	}
}

// disown lets the API server take the owner out of every pod that is created
// here, until the test is over.
func (w *world) disown() {
	w.Helper()
	name := "disown-" + w.namespace
	create := func(kind string, spec object) {
		resource := env.dynamic.Resource(schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1", Resource: kind})
		kinds := map[string]string{"mutatingadmissionpolicies": "MutatingAdmissionPolicy", "mutatingadmissionpolicybindings": "MutatingAdmissionPolicyBinding"}
		_, err := resource.Create(w.Context(), &unstructured.Unstructured{Object: object{
			"apiVersion": "admissionregistration.k8s.io/v1", "kind": kinds[kind], "metadata": object{"name": name}, "spec": spec,
		}}, metav1.CreateOptions{})
		w.check(err)
		w.Cleanup(func() { _ = resource.Delete(context.Background(), name, metav1.DeleteOptions{}) })
	}
	create("mutatingadmissionpolicies", object{
		"failurePolicy": "Fail", "reinvocationPolicy": "Never",
		"matchConstraints": object{
			"namespaceSelector": object{"matchLabels": object{"kubernetes.io/metadata.name": w.namespace}},
			"resourceRules":     []any{object{"apiGroups": []any{""}, "apiVersions": []any{"v1"}, "resources": []any{"pods"}, "operations": []any{"CREATE"}}},
		},
		"mutations": []any{object{"patchType": "JSONPatch", "jsonPatch": object{
			"expression": `has(object.metadata.ownerReferences) ? [JSONPatch{op: "remove", path: "/metadata/ownerReferences"}] : []`,
		}}},
	})
	create("mutatingadmissionpolicybindings", object{"policyName": name})
	w.waitFor("the policy to act", func(ctx context.Context) (bool, error) {
		probe := &unstructured.Unstructured{Object: object{
			"apiVersion": "v1", "kind": "Pod",
			"metadata": object{"name": "probe", "ownerReferences": []any{object{"apiVersion": "v1", "kind": "ConfigMap", "name": "none", "uid": "none"}}},
			"spec":     object{"containers": []any{object{"name": "main", "image": "main"}}},
		}}
		made, err := env.dynamic.Resource(schema.GroupVersionResource{Version: "v1", Resource: "pods"}).Namespace(w.namespace).
			Create(ctx, probe, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		return err == nil && len(made.GetOwnerReferences()) == 0, err
	})
}
