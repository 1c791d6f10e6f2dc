package orphans_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/orphans"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

var drawOwner = rapid.SampledFrom([]string{"", "of=replicaset/web", "of=replicaset/api", "of=replicaset/none", "of=replicaset/web@old", "ref=replicaset/web", "of=Workflow.argoproj.io/w", "mirror"})

var drawTraits = rapid.SampledFrom([]string{"", "deleting", "phase=Failed", "tier=front", "generate=web-"})

// drawCluster sketches a few sets and pods in all sorts of states.
func drawCluster(t *rapid.T) string {
	lines := []string{
		"rs web selector=app=web " + rapid.SampledFrom([]string{"", "deleting", "replicas=3"}).Draw(t, "web"),
		"rs api selector=app=api,tier=front",
		"rs all selector=tier",
		"cloneset cs selector=app=cs",
		"sts db selector=app=db",
	}
	for i := range rapid.IntRange(0, 12).Draw(t, "pods") {
		lines = append(lines, fmt.Sprintf("pod db-%d app=%s %s %s", i,
			rapid.SampledFrom([]string{"web", "api", "cs", "db", "x"}).Draw(t, "app"), drawOwner.Draw(t, "owner"), drawTraits.Draw(t, "traits")))
	}
	return strings.Join(lines, "\n")
}

func TestEveryObjectHasOneVerdict(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawCluster(t)
		v, err := clusterdsl.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		rep, err := orphans.Find(v.Reader(), orphans.Query{Namespace: clusterdsl.Namespace, Kinds: orphans.Kinds, Served: lineage.Held})
		if err != nil {
			t.Fatal(err)
		}
		seen, total := map[decision.Ref]bool{}, 0
		for _, fi := range rep.Findings {
			if seen[fi.Object] {
				t.Fatalf("%s twice in\n%s", fi.Object, text)
			}
			seen[fi.Object] = true
		}
		for _, n := range rep.Groups {
			total += n
		}
		if rep.Settled+len(rep.Findings) != rep.Objects || total != len(rep.Findings) || rep.Objects != len(strings.Split(text, "\n"))-2 {
			t.Fatalf("%d settled and %d found (%d in groups) of %d in\n%s", rep.Settled, len(rep.Findings), total, rep.Objects, text)
		}
	})
}
