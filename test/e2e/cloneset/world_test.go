package cloneset

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// web is the name of every CloneSet, and app=web the label that it asks for.
const web = "web"

// world is the namespace of one scenario.
type world struct {
	*testing.T
	namespace string
}

var worlds int

func newWorld(t *testing.T) *world {
	t.Helper()
	worlds++
	w := &world{T: t, namespace: fmt.Sprintf("world-%d", worlds)}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: w.namespace}}
	_, err := env.client.CoreV1().Namespaces().Create(t.Context(), namespace, metav1.CreateOptions{})
	w.check(err)
	return w
}

func (w *world) check(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// patience is how long the cluster may take, on a machine with other work.
const patience = 3 * time.Minute

func (w *world) waitFor(what string, condition func(context.Context) (bool, error)) {
	w.Helper()
	ctx, cancel := context.WithTimeout(w.Context(), patience)
	defer cancel()
	w.check(env.WaitFor(ctx, what, condition))
}

func (w *world) sets() dynamic.ResourceInterface {
	return env.dynamic.Resource(controlplane.CloneSets).Namespace(w.namespace)
}

// object is a map as JSON has it.
type object = map[string]any

// cloneSet is a CloneSet of three pods that updates in place.
func cloneSet(edits ...func(spec object)) *unstructured.Unstructured {
	labels := object{"app": web}
	spec := object{
		"replicas": int64(3), "selector": object{"matchLabels": labels},
		"updateStrategy": object{"type": "InPlaceIfPossible", "maxUnavailable": int64(1)},
		"scaleStrategy":  object{}, "lifecycle": object{},
		"template": object{
			"metadata": object{"labels": object{"app": web}},
			"spec":     object{"containers": []any{object{"name": "main", "image": "main:1"}}},
		},
	}
	for _, edit := range edits {
		edit(spec)
	}
	if len(spec["lifecycle"].(object)) == 0 {
		delete(spec, "lifecycle")
	}
	return &unstructured.Unstructured{Object: object{
		"apiVersion": "apps.kruise.io/v1alpha1", "kind": "CloneSet", "metadata": object{"name": web}, "spec": spec,
	}}
}

// settled makes a CloneSet and waits until nothing is left to do.
func (w *world) settled(edits ...func(spec object)) {
	w.Helper()
	_, err := w.sets().Create(w.Context(), cloneSet(edits...), metav1.CreateOptions{})
	w.check(err)
	w.settle()
}

// settle waits until all pods are ready and the tool finds nothing to do.
func (w *world) settle() {
	w.Helper()
	w.waitFor("the CloneSet to settle", func(ctx context.Context) (bool, error) {
		plan, err := w.rest(ctx)
		if err != nil {
			return false, err
		}
		for _, f := range plan.Status.Fields {
			if f.Field == "readyReplicas" && f.Stored != plan.Count.Of.Str("spec.replicas") {
				return false, fmt.Errorf("%s pods are ready", f.Stored)
			}
		}
		return true, nil
	})
}

// rest is the plan when the tool finds nothing to do, else an error that says
// what it finds.
func (w *world) rest(ctx context.Context) (*decision.Decision, error) {
	plan, err := w.ask(ctx)
	if err != nil {
		return nil, err
	}
	if plan.Pending || plan.Status.Writes {
		return nil, fmt.Errorf("the plan is: %s", plan.Answer)
	}
	return plan, nil
}

// ask calls the tool.
func (w *world) ask(ctx context.Context, args ...string) (*decision.Decision, error) {
	all := append([]string{"plan", "cloneset/" + web, "-o", "json", "--namespace", w.namespace, "--kubeconfig", env.Kubeconfig()}, args...)
	cmd := exec.CommandContext(ctx, env.tool, all...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%v: %w: %s", args, err, stderr.String())
	}
	return parse(out)
}

// parse reads a plan; a field that a Decision does not have is an error.
func parse(text []byte) (*decision.Decision, error) {
	var d struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		decision.Decision
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&d); err != nil {
		return nil, fmt.Errorf("read the plan: %w in:\n%s", err, text)
	}
	return &d.Decision, nil
}

// patch changes the CloneSet as a user would, by a merge patch.
func (w *world) patch(spec string) {
	w.Helper()
	_, err := w.sets().Patch(w.Context(), web, types.MergePatchType, []byte(`{"spec":`+spec+`}`), metav1.PatchOptions{})
	w.check(err)
}

// image changes the image of the template.
func (w *world) image(image string) {
	w.Helper()
	body := fmt.Appendf(nil, `[{"op":"replace","path":"/spec/template/spec/containers/0/image","value":%q}]`, image)
	_, err := w.sets().Patch(w.Context(), web, types.JSONPatchType, body, metav1.PatchOptions{})
	w.check(err)
}

// pods are those of the CloneSet, in the order of their names.
func (w *world) pods() []*corev1.Pod {
	w.Helper()
	list, err := env.client.CoreV1().Pods(w.namespace).List(w.Context(), metav1.ListOptions{})
	w.check(err)
	var pods []*corev1.Pod
	for i := range list.Items {
		pods = append(pods, &list.Items[i])
	}
	return pods
}

// patchPod changes a pod by a strategic merge patch, or one of its status.
func (w *world) patchPod(name, patch string, subresource ...string) {
	w.Helper()
	_, err := env.client.CoreV1().Pods(w.namespace).Patch(w.Context(), name, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{}, subresource...)
	w.check(err)
}

const stateLabel = "lifecycle.apps.kruise.io/state"

// waitForPod waits until the pods are as wanted and the tool finds nothing to do.
func (w *world) waitForPod(are func([]*corev1.Pod) bool) {
	w.Helper()
	w.waitFor("the pods", func(ctx context.Context) (bool, error) {
		if !are(w.pods()) {
			return false, nil
		}
		_, err := w.rest(ctx)
		return err == nil, err
	})
}
