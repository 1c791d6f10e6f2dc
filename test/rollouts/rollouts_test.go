// Package rollouts holds simulations against whole rollouts of the real controllers:
// of CloneSets, the same acts in the same order, to the same end; of Deployments,
// the same sizes, availability and end.
package rollouts

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cli"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/sequence"
)

const namespace = "default"

// step is a change of a settled CloneSet, asked about before it is made.
type step struct {
	name string
	// flags ask what patch then does, a merge patch, or json, a JSON patch.
	flags       []string
	patch, json string
	outcome     decision.Outcome
	// held: the spec keeps something from being done.
	held bool
}

func TestRollouts(t *testing.T) {
	c := start(t)
	c.settled(t, "inplace", 5, `{"type":"InPlaceIfPossible","partition":5,"maxUnavailable":1,"inPlaceUpdateStrategy":{"gracePeriodSeconds":2},"priorityStrategy":{"orderPriority":[{"orderedKey":"order"}]}}`)
	image := `{"spec":{"template":{"spec":{"containers":[{"name":"main","image":"main:2"}]}},"updateStrategy":{"partition":4}}}`
	steps := []step{{name: "a new image for one pod", flags: []string{"--image", "main=main:2", "--partition", "4"}, patch: image, outcome: decision.Stable, held: true}}
	for _, left := range []int{3, 2, 1, 0} {
		steps = append(steps, step{name: fmt.Sprintf("%d left", left), flags: []string{"--partition", fmt.Sprint(left)}, patch: fmt.Sprintf(`{"spec":{"updateStrategy":{"partition":%d}}}`, left), outcome: decision.Stable, held: left > 0})
	}
	for _, s := range steps {
		t.Run("in place with a grace period/"+s.name, func(t *testing.T) { c.hold(t, "inplace", s) })
	}
	c.settled(t, "anew", 3, `{"type":"ReCreate","maxUnavailable":0,"maxSurge":1,"priorityStrategy":{"orderPriority":[{"orderedKey":"order"}]}}`)
	t.Run("recreated with surge", func(t *testing.T) {
		c.hold(t, "anew", step{flags: []string{"--image", "main=main:2"}, outcome: decision.Stable,
			patch: `{"spec":{"template":{"spec":{"containers":[{"name":"main","image":"main:2"}]}}}}`})
	})
	c.settled(t, "two", 4, `{"type":"InPlaceOnly","maxUnavailable":2,"priorityStrategy":{"orderPriority":[{"orderedKey":"order"}]}}`)
	t.Run("two at a time", func(t *testing.T) {
		c.hold(t, "two", step{flags: []string{"--image", "main=main:2"}, outcome: decision.Stable,
			patch: `{"spec":{"template":{"spec":{"containers":[{"name":"main","image":"main:2"}]}}}}`})
	})
	t.Run("scaled in", func(t *testing.T) {
		c.hold(t, "two", step{flags: []string{"--replicas", "2"}, patch: `{"spec":{"replicas":2}}`, outcome: decision.Stable})
	})
	t.Run("scaled out", func(t *testing.T) {
		c.hold(t, "two", step{flags: []string{"--replicas", "5"}, patch: `{"spec":{"replicas":5}}`, outcome: decision.Stable})
	})
}

type cluster struct{ *controlplane.Cluster }

func start(t *testing.T) cluster {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	c, err := controlplane.Start(ctx, controlplane.Options{Nodes: 2, NoLeaderElection: true, Kruise: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	return cluster{c}
}

// settled makes a CloneSet, waits for its pods, and gives them an order.
func (c cluster) settled(t *testing.T, name string, replicas int, strategy string) {
	t.Helper()
	c.settledOf(t, name, replicas, strategy, `[{"name":"main","image":"main:1"}]`)
}

func (c cluster) settledOf(t *testing.T, name string, replicas int, strategy, containers string) {
	t.Helper()
	manifest := fmt.Sprintf(`{"apiVersion":"apps.kruise.io/v1alpha1","kind":"CloneSet","metadata":{"name":%[1]q,"namespace":%[2]q},"spec":{"replicas":%[3]d,
		"selector":{"matchLabels":{"app":%[1]q}},"updateStrategy":%[4]s,
		"template":{"metadata":{"labels":{"app":%[1]q}},"spec":{"terminationGracePeriodSeconds":1,"containers":%[5]s}}}}`, name, namespace, replicas, strategy, containers)
	c.kubectl(t, bytes.NewBufferString(manifest), "create", "-f", "-")
	c.waitFor(t, name, func(status map[string]any) bool { return status["availableReplicas"] == int64(replicas) })
	var pods unstructured.UnstructuredList
	if err := json.Unmarshal([]byte(c.kubectl(t, nil, "get", "pods", "-l", "app="+name, "-o", "json")), &pods); err != nil {
		t.Fatal(err)
	}
	for i, p := range pods.Items {
		c.kubectl(t, nil, "label", "pod", p.GetName(), fmt.Sprintf("order=n-%d", i))
	}
}

func (c cluster) kubectl(t *testing.T, in *bytes.Buffer, args ...string) string {
	t.Helper()
	if in == nil {
		in = &bytes.Buffer{}
	}
	out, err := c.Kubectl(t.Context(), in, append(args, "--namespace", namespace)...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (c cluster) status(t *testing.T, name string) (map[string]any, int64) {
	var set unstructured.Unstructured
	if err := json.Unmarshal([]byte(c.kubectl(t, nil, "get", "clonesets.apps.kruise.io", name, "-o", "json")), &set); err != nil {
		t.Fatal(err)
	}
	status, _, _ := unstructured.NestedMap(set.Object, "status")
	return status, set.GetGeneration()
}

func (c cluster) waitFor(t *testing.T, name string, done func(map[string]any) bool) {
	t.Helper()
	err := c.WaitFor(t.Context(), "the status of cloneset/"+name, func(context.Context) (bool, error) {
		status, generation := c.status(t, name)
		if status["observedGeneration"] == generation && done(status) {
			return true, nil
		}
		return false, fmt.Errorf("it is %v", status)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// hold asks for the whole rollout, makes the change, and holds what the real
// controller does against it.
func (c cluster) hold(t *testing.T, name string, s step) {
	line := c.plan(t, append([]string{"clone/" + name}, s.flags...))
	if line.End.Outcome != s.outcome || (line.End.Rule == simulate.EndHeld) != s.held {
		t.Fatalf("it ends %s: %s", line.End.Outcome, line.Answer)
	}
	mark, err := c.AuditMark()
	if err != nil {
		t.Fatal(err)
	}
	kind, body := "merge", s.patch
	if s.json != "" {
		kind, body = "json", s.json
	}
	c.kubectl(t, nil, "patch", "clonesets.apps.kruise.io", name, "--type", kind, "-p", body)
	end := line.End.Counts
	updated := 0
	for _, r := range end.Revisions {
		if r.Role == decision.New {
			updated += r.Pods
		}
	}
	c.waitFor(t, name, func(status map[string]any) bool {
		return status["availableReplicas"] == int64(end.Available) && status["replicas"] == int64(end.Pods) && status["updatedReplicas"] == int64(updated)
	})
	did := c.acts(t, mark, name)
	predicted := sequence.Rounds(line, decision.UpdateInPlace, decision.Recreate, decision.Create, decision.Delete)
	if len(predicted) == 0 {
		t.Fatalf("nothing was predicted: %s", line.Answer)
	}
	if err := sequence.Compare(predicted, did); err != nil {
		t.Errorf("%v\npredicted: %s\ndid: %v", err, line.Answer, did)
	}
}

func (c cluster) plan(t *testing.T, args []string) *decision.Timeline {
	t.Helper()
	var out, errOut bytes.Buffer
	env := cli.Env{
		Controllers: plugins.All(),
		IOStreams:   genericiooptions.IOStreams{In: &bytes.Buffer{}, Out: &out, ErrOut: &errOut}, Clock: clock.RealClock{},
		Getenv: os.Getenv, Width: func() int { return 0 }, Name: "kubectl ctrl",
	}
	cmd := cli.New(env)
	cmd.SetArgs(append([]string{"plan", "--until-stable", "--ready-after", "1s", "-o", "json", "--namespace", namespace, "--kubeconfig", c.Kubeconfig()}, args...))
	if err := cmd.ExecuteContext(t.Context()); err != nil {
		t.Fatalf("%v: %v %s", args, err, errOut.String())
	}
	var plan decision.Decision
	if err := json.Unmarshal(out.Bytes(), &plan); err != nil || plan.Timeline == nil {
		t.Fatalf("%v: %v in %s", args, err, out.String())
	}
	return plan.Timeline
}

// acts are what the CloneSet controller did to the set's pods, each update in
// place once, however many writes it took.
func (c cluster) acts(t *testing.T, since controlplane.AuditMark, name string) []sequence.Act {
	t.Helper()
	events, _, err := c.AuditEvents(since)
	if err != nil {
		t.Fatal(err)
	}
	var did []sequence.Act
	for _, e := range events {
		if e.Stage != "ResponseComplete" || e.User.Username != controlplane.KruiseUser || e.ObjectRef.Resource != "pods" || e.ResponseStatus.Code >= 300 {
			continue
		}
		if a, ok := actOf(e, name); ok && (a.Verb != decision.UpdateInPlace || !slices.Contains(did, a)) {
			did = append(did, a)
		}
	}
	return did
}

func actOf(e controlplane.AuditEvent, set string) (sequence.Act, bool) {
	var sent struct {
		Metadata struct {
			Labels      map[string]string `json:"labels"`
			Annotations map[string]string `json:"annotations"`
		} `json:"metadata"`
	}
	_ = json.Unmarshal(e.RequestObject, &sent) // a deletion has another body, and no labels
	pod := e.ObjectRef.Name
	if !bytes.HasPrefix([]byte(pod), []byte(set+"-")) && e.Verb != "create" {
		return sequence.Act{}, false
	}
	switch {
	case e.ObjectRef.Subresource != "":
	case e.Verb == "create" && sent.Metadata.Labels["app"] == set:
		return sequence.Act{Verb: decision.Create}, true
	case e.Verb == "delete":
		return sequence.Act{Verb: decision.Delete, Name: pod}, true
	case e.Verb == "patch" && sent.Metadata.Labels["apps.kruise.io/specified-delete"] != "":
		return sequence.Act{Verb: decision.Recreate, Name: pod}, true
	case e.Verb == "update" && sent.Metadata.Annotations["apps.kruise.io/inplace-update-state"] != "":
		return sequence.Act{Verb: decision.UpdateInPlace, Name: pod}, true
	}
	return sequence.Act{}, false
}
