package cloneset

import (
	"context"
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// hold ends the manager, so that several objects can be changed before it sees
// any of it. Without it nobody would get past its webhooks: they are told to
// let everything pass. At its next start it puts them back as they were.
func (w *world) hold() {
	w.Helper()
	env.held = true
	w.check(env.Kill(w.Context(), controlplane.Kruise))
	for _, name := range []string{"mutating", "validating"} {
		w.check(w.loosen(name))
	}
	w.waitFor("the API server to know", func(ctx context.Context) (bool, error) {
		_, err := w.sets().Patch(ctx, web, types.MergePatchType, []byte(`{"metadata":{"labels":{"free":"yes"}}}`), metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
		return err == nil, err
	})
}

func (w *world) loosen(name string) error {
	configurations := env.dynamic.Resource(schema.GroupVersionResource{
		Group: "admissionregistration.k8s.io", Version: "v1", Resource: name + "webhookconfigurations",
	})
	full := "kruise-" + name + "-webhook-configuration"
	obj, err := configurations.Get(w.Context(), full, metav1.GetOptions{})
	if err != nil {
		return err
	}
	hooks, _, err := unstructured.NestedSlice(obj.Object, "webhooks")
	if err != nil {
		return err
	}
	var patch []map[string]any
	for i := range hooks {
		patch = append(patch, map[string]any{"op": "replace", "path": fmt.Sprintf("/webhooks/%d/failurePolicy", i), "value": "Ignore"})
	}
	text, err := json.Marshal(patch)
	if err != nil {
		return err
	}
	_, err = configurations.Patch(w.Context(), full, types.JSONPatchType, text, metav1.PatchOptions{})
	return err
}

// release starts the manager again, with these feature gates.
func (w *world) release(gates string) {
	w.Helper()
	var flags []string
	if env.gated = gates != ""; env.gated {
		flags = []string{"--feature-gates=" + gates}
	}
	w.check(env.RestartWith(w.Context(), controlplane.Kruise, flags...))
	env.held = false
}

// plain makes sure that the manager runs, without the gates of another scenario.
func (w *world) plain() {
	w.Helper()
	if env.gated || env.held {
		w.release("")
	}
}
