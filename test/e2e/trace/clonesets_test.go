package trace

import (
	"context"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// cloneDriver changes CloneSets of several kinds at random.
type cloneDriver struct {
	*driver
	sets  dynamic.ResourceInterface
	specs []*unstructured.Unstructured
}

// inPlaceOnly is the one of the sets of this strategy.
const inPlaceOnly = "clone-2"

// TestRandomCloneSets is TestRandomChanges with the manager of OpenKruise.
func TestRandomCloneSets(t *testing.T) {
	on, untyped := startKruise(t)
	const ns = "clones"
	_, err := on.client.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: ns}}, metav1.CreateOptions{})
	check(t, err)
	d := &cloneDriver{
		driver: newDriver(t, on, ns, 2),
		sets:   untyped.Resource(controlplane.CloneSets).Namespace(ns),
	}
	write(t, "TRACE_CLONESET_REPORT", d.run(60, d.workloads, d.pick))
}

// startKruise starts a control plane with OpenKruise for one test.
func startKruise(t *testing.T) (plane, dynamic.Interface) {
	t.Helper()
	c, err := controlplane.Start(t.Context(), controlplane.Options{Nodes: 3, NoLeaderElection: true, Kruise: true})
	check(t, err)
	t.Cleanup(func() { check(t, c.Stop()) })
	client, err := c.Client()
	check(t, err)
	untyped, err := dynamic.NewForConfig(c.RESTConfig())
	check(t, err)
	return plane{c, client}, untyped
}

// startCloneSet starts a plane with a CloneSet web, whose pods are ready.
func startCloneSet(t *testing.T, replicas int64) (plane, dynamic.Interface, dynamic.ResourceInterface) {
	t.Helper()
	on, untyped := startKruise(t)
	clones := untyped.Resource(controlplane.CloneSets).Namespace("default")
	_, err := clones.Create(t.Context(), cloneSet("web", replicas), metav1.CreateOptions{})
	check(t, err)
	check(t, on.WaitForReadyPods(t.Context(), "default", "app=web", int(replicas)))
	return on, untyped, clones
}

func scaleClones(t *testing.T, clones dynamic.ResourceInterface, replicas int) {
	t.Helper()
	_, err := clones.Patch(t.Context(), "web", types.MergePatchType, fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, replicas), metav1.PatchOptions{})
	check(t, err)
}

// workloads are one set of each kind.
func (d *cloneDriver) workloads() {
	d.Helper()
	for i, edit := range []func(spec map[string]any){
		func(spec map[string]any) { setField(spec, "ReCreate", "updateStrategy", "type") },
		func(spec map[string]any) {
			setField(spec, "InPlaceIfPossible", "updateStrategy", "type")
			setField(spec, "50%", "updateStrategy", "maxUnavailable")
		},
		func(spec map[string]any) {
			setField(spec, "InPlaceOnly", "updateStrategy", "type")
			setField(spec, int64(1), "updateStrategy", "maxUnavailable")
			setField(spec, int64(2), "minReadySeconds")
		},
		func(spec map[string]any) {
			setField(spec, "ReCreate", "updateStrategy", "type")
			setField(spec, int64(2), "updateStrategy", "maxSurge")
		},
		func(spec map[string]any) {
			setField(spec, "node-0", "template", "spec", "nodeName") // nobody would bind the claims
			spec["volumeClaimTemplates"] = []any{map[string]any{
				"metadata": map[string]any{"name": "data"},
				"spec": map[string]any{
					"accessModes": []any{"ReadWriteOnce"},
					"resources":   map[string]any{"requests": map[string]any{"storage": "1Gi"}},
				},
			}}
		},
	} {
		set := cloneSet(fmt.Sprintf("clone-%d", i), int64(d.rnd.IntN(5)+1))
		edit(set.Object["spec"].(map[string]any))
		d.specs = append(d.specs, set)
		_, err := d.sets.Create(d.Context(), set.DeepCopy(), metav1.CreateOptions{})
		check(d.T, err)
	}
}

func setField(obj map[string]any, value any, path ...string) {
	if err := unstructured.SetNestedField(obj, value, path...); err != nil {
		panic(err) // a field on the way is no map
	}
}

func (d *cloneDriver) pick() (string, func(context.Context) error) {
	switch n := d.rnd.IntN(1000); {
	case d.restarts && n < 4:
		return "API server restart", func(ctx context.Context) error { return d.on.Restart(ctx, controlplane.APIServer) }
	case d.restarts && n < 14:
		return "Kruise manager restart", func(ctx context.Context) error { return d.on.Restart(ctx, controlplane.Kruise) }
	case n < 250:
		return "scale", func(ctx context.Context) error { return d.patch(ctx, fmt.Sprintf(`{"replicas":%d}`, d.rnd.IntN(8))) }
	case n < 430:
		return "image", d.setImage
	case n < 490:
		return "template, not in place", d.setHostname
	case n < 600:
		return "partition", d.partition
	case n < 650:
		return "pause or resume", func(ctx context.Context) error {
			return d.patch(ctx, fmt.Sprintf(`{"updateStrategy":{"paused":%t}}`, d.rnd.IntN(3) == 0))
		}
	case n < 700:
		return "maxUnavailable", func(ctx context.Context) error {
			return d.patch(ctx, fmt.Sprintf(`{"updateStrategy":{"maxUnavailable":%d}}`, d.rnd.IntN(3)+1))
		}
	case n < 740:
		return "label of a pod taken away", d.relabel
	case n < 770:
		return "label of an orphan given back", d.giveBack
	case n < 870:
		return "deletion of a pod", d.deletePod
	case n < 920:
		return "pod marked for deletion", d.mark
	case n < 960:
		return "pod named in podsToDelete", d.name
	default:
		return "deletion and creation of a set", d.replaceSet
	}
}

func (d *cloneDriver) anySet() string { return fmt.Sprintf("clone-%d", d.rnd.IntN(len(d.specs))) }

// patch changes the spec of any of the sets.
func (d *cloneDriver) patch(ctx context.Context, spec string) error {
	return d.patchOne(ctx, d.anySet(), types.MergePatchType, `{"spec":`+spec+`}`)
}

func (d *cloneDriver) patchOne(ctx context.Context, name string, how types.PatchType, body string) error {
	_, err := d.sets.Patch(ctx, name, how, []byte(body), metav1.PatchOptions{})
	return err
}

// setImage takes one of a few images, so that old revisions come back.
func (d *cloneDriver) setImage(ctx context.Context) error {
	return d.patchOne(ctx, d.anySet(), types.JSONPatchType,
		fmt.Sprintf(`[{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"main:%d"}]`, d.rnd.IntN(6)))
}

// setHostname leaves the set alone whose updates have to be possible in place:
// the webhook refuses it there.
func (d *cloneDriver) setHostname(ctx context.Context) error {
	name := d.anySet()
	for name == inPlaceOnly {
		name = d.anySet()
	}
	return d.patchOne(ctx, name, types.MergePatchType, fmt.Sprintf(`{"spec":{"template":{"spec":{"hostname":"host-%d"}}}}`, d.rnd.IntN(4)))
}

func (d *cloneDriver) partition(ctx context.Context) error {
	values := []string{"0", "0", "0", "1", "2", `"50%"`}
	return d.patch(ctx, `{"updateStrategy":{"partition":`+values[d.rnd.IntN(len(values))]+`}}`)
}

func (d *cloneDriver) mark(ctx context.Context) error {
	name, err := d.anyPod(ctx, "!was")
	if err != nil {
		return err
	}
	_, err = d.on.client.CoreV1().Pods(d.ns).Patch(ctx, name, types.MergePatchType,
		[]byte(`{"metadata":{"labels":{"apps.kruise.io/specified-delete":"true"}}}`), metav1.PatchOptions{})
	return err
}

func (d *cloneDriver) name(ctx context.Context) error {
	set := d.anySet()
	pod, err := d.anyPod(ctx, "app="+set)
	if err != nil || pod == "none" {
		return err
	}
	return d.patchOne(ctx, set, types.MergePatchType, fmt.Sprintf(`{"spec":{"scaleStrategy":{"podsToDelete":[%q]}}}`, pod))
}

func (d *cloneDriver) replaceSet(ctx context.Context) error {
	n := d.rnd.IntN(len(d.specs))
	if err := d.sets.Delete(ctx, d.specs[n].GetName(), metav1.DeleteOptions{}); err != nil {
		return err
	}
	_, err := d.sets.Create(ctx, d.specs[n].DeepCopy(), metav1.CreateOptions{})
	return err
}
