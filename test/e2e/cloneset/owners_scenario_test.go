package cloneset

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/orphans"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// ownerScenario is a namespace with a workload of which `orphans` predicts what
// becomes of objects without a settled owner.
type ownerScenario struct {
	name string
	// kind and spec are the workload, change what happens while no manager runs.
	kind   view.Kind
	spec   object
	change func(*world)
	// finds says of some objects which rule they come under, deeds what the
	// manager must be predicted to do, among others.
	finds, deeds []string
	// follow are beginnings of consequences that must be told.
	follow []string
	// asks are objects of other kinds, whose owners are asked about.
	asks []string
	// left is how many volume claims have been left behind, and then looks at
	// what became of them.
	left int
	then func(*world)
}

// told is a scenario that was asked about.
type told struct {
	ownerScenario
	*world
	report *orphans.Report
	// owners are the deeds that were predicted of asks.
	owners []string
}

// runOwnerScenarios asks about all of them while no manager runs, and starts it
// once.
func runOwnerScenarios(t *testing.T, scenarios []ownerScenario) {
	first := newWorld(t)
	first.plain()
	first.settled() // for hold to see that admission is free
	var all []*told
	for _, s := range scenarios {
		all = append(all, &told{ownerScenario: s, world: newWorld(t)})
	}
	for _, s := range all {
		s.create(s.kind, s.spec)
	}
	for _, s := range all {
		s.waitUntilQuiet(s.kind)
	}
	first.hold()
	for _, s := range all {
		s.change(s.world)
		s.report = s.orphans()
		for _, object := range s.asks {
			s.owners = append(s.owners, s.adoption(object))
		}
	}
	mark, before := first.mark(), controllers{}
	for _, s := range all {
		maps.Copy(before, s.controllersIn())
	}
	first.release("")
	done := first.observeDeeds(mark, before, all)
	for _, s := range all {
		t.Run(s.name, func(t *testing.T) {
			s.T = t
			s.judgeOwners(done[s.namespace])
		})
	}
}

func (w *world) create(kind view.Kind, spec object) {
	w.Helper()
	_, err := env.dynamic.Resource(kind.GVR()).Namespace(w.namespace).Create(w.Context(), workload(kind, spec), metav1.CreateOptions{})
	w.check(err)
}

// wants is how many pods the workloads of the scenarios have at rest.
func (s *told) wants() int {
	if n, ok := s.spec["replicas"].(int64); ok {
		return int(n)
	}
	return 3 // one on each node
}

// waitUntilQuiet waits for the pods of a workload.
func (s *told) waitUntilQuiet(kind view.Kind) {
	s.Helper()
	s.waitFor("the pods of a "+kind.Kind, func(context.Context) (bool, error) {
		if n := len(s.pods()); n != s.wants() {
			return false, fmt.Errorf("there are %d of %d", n, s.wants())
		}
		return true, nil
	})
}

// run calls the tool and reads its answer.
func (w *world) run(answer any, args ...string) {
	w.Helper()
	args = append(args, "-o", "json", "--namespace", w.namespace, "--kubeconfig", env.Kubeconfig())
	out, err := exec.CommandContext(w.Context(), env.tool, args...).Output()
	w.check(err)
	w.check(json.Unmarshal(out, answer))
}

// adoption is what `owners` predicts of an object without a controller.
func (w *world) adoption(object string) string {
	w.Helper()
	var g lineage.Graph
	w.run(&g, "owners", object)
	for _, n := range g.Nodes {
		if n.Object.String() == object && n.Next != nil && n.Next.Rule == lineage.AdoptedNext {
			return object + " adopted by " + n.Next.Facts.Str("controller")
		}
	}
	return object + " stays as it is"
}

// orphans asks about the namespace.
func (w *world) orphans() *orphans.Report {
	w.Helper()
	var rep orphans.Report
	w.run(&rep, "orphans")
	for _, c := range rep.Caveats {
		w.Errorf("an administrator meets a caveat: %v", c)
	}
	return &rep
}
