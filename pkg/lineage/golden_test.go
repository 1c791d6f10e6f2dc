package lineage_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/golden"
)

// TestGoldens runs testdata: a cluster in words, and questions such as
// "owners rs/web down depth=1 delete=orphan".
func TestGoldens(t *testing.T) {
	fired := map[string]bool{}
	golden.Walk(t, func(t *testing.T, td *datadriven.TestData, v *view.View) string {
		g, err := lineage.Ask(v.Reader(), query(t, td))
		if err != nil {
			return err.Error() + "\n"
		}
		note(g, fired)
		return prose(g)
	})
	golden.AllFired(t, lineage.ReferenceRules, fired, map[string]bool{lineage.OwnerElsewhere: true, lineage.OwnerNotRead: true})
}

func query(t *testing.T, td *datadriven.TestData) lineage.Query {
	kind, name, _ := strings.Cut(td.CmdArgs[0].Key, "/")
	q := lineage.Query{Served: served, Types: view.Kinds(), ByName: true}
	for _, k := range view.Kinds() {
		if k.Named(kind) {
			q.Target = view.Target{Kind: k, Name: name}
			break
		}
	}
	if q.Target.Kind.Namespaced {
		q.Target.Namespace = clusterdsl.Namespace
	}
	for _, a := range td.CmdArgs[1:] {
		switch a.Key {
		case "down":
			q.Down = true
		case "depth":
			fmt.Sscan(a.Vals[0], &q.Depth)
		case "delete":
			q.OnDelete = lineage.Policy(a.Vals[0])
		default:
			t.Fatalf("unknown argument %s", a.Key)
		}
	}
	return q
}

// served knows the kinds of sketches, and that gone/v1 is no more.
func served(apiVersion, kind string) (view.Kind, error) {
	if apiVersion == "gone/v1" {
		return view.Kind{}, lineage.ErrNotServed
	}
	return lineage.Held(apiVersion, kind)
}

func note(g *lineage.Graph, fired map[string]bool) {
	for _, n := range g.Nodes {
		if n.Next != nil {
			fired[n.Next.Rule] = true
		}
	}
	for _, e := range g.Edges {
		fired[e.Rule] = true
	}
}

func prose(g *lineage.Graph) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("%s", g.Answer)
	for _, n := range g.Nodes {
		text := ""
		if n.Next != nil {
			text = fmt.Sprintf(": %s [%s]", n.Next.Message, n.Next.Rule)
		}
		if n.Hidden > 0 {
			text += fmt.Sprintf(", %d hidden", n.Hidden)
		}
		say("  %+d %s%s", n.Depth, n.Object, text)
	}
	for _, e := range g.Edges {
		say("  %s → %s controller=%v blocks=%v %s: %s [%s]", g.Node(e.Dependent).Object.Name, e.Link.Owner, e.Controller, e.Blocks, e.State, e.Message, e.Rule)
	}
	if g.OnDelete != nil {
		effects(say, "takes", g.OnDelete.Takes)
		effects(say, "keeps", g.OnDelete.Keeps)
		effects(say, "orphans", g.OnDelete.Orphans)
	}
	for _, c := range g.Caveats {
		say("  caveat %s [%s]", c.Message, c.Code)
	}
	return b.String()
}

func effects(say func(string, ...any), verb string, all []lineage.Effect) {
	for _, e := range all {
		say("  %s %s of %s blocks=%v: %s [%s]", verb, e.Object, e.Owner, e.Blocks, e.Message, e.Rule)
	}
}
