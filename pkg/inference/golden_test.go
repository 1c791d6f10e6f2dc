package inference_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/inference"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/golden"
)

// cluster is a sketch of which a user may not read everything.
type cluster struct {
	*view.View
	unread []string
	// refused are the needs that turned out to be unreadable.
	refused []view.Need
}

// TestGoldens runs testdata: a cluster in words, where "unread=(events,leases)"
// names what may not be read, and questions such as "infer rs/web".
func TestGoldens(t *testing.T) {
	fired := map[string]bool{}
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var c *cluster
		datadriven.RunTest(t, path, func(t *testing.T, td *datadriven.TestData) string {
			if td.Cmd == "cluster" {
				v, err := clusterdsl.Parse(td.Input)
				if err != nil {
					td.Fatalf(t, "%v", err)
				}
				c = &cluster{View: v}
				for _, a := range td.CmdArgs {
					c.unread = append(c.unread, a.Vals...)
				}
				return ""
			}
			kind, name, _ := strings.Cut(td.CmdArgs[0].Key, "/")
			return prose(c.infer(t, kind, name, golden.Arg(td, "version", "1.37")), fired)
		})
	})
	golden.AllFired(t, inference.Rules, fired, nil)
}

var errForbidden = errors.New("events may not be listed by this user")

// readable is the View without what may not be read.
func (c *cluster) readable() *view.View {
	b := view.NewBuilder(c.Now())
	for _, k := range view.Kinds() {
		if slices.Contains(c.unread, k.Resource) {
			continue
		}
		b.Reads(view.Need{Kind: k, Detail: view.Full}, nil)
		for _, o := range c.All(k) {
			b.Add(k, o)
		}
	}
	for _, need := range c.refused {
		b.Reads(need, errForbidden)
	}
	return b.View()
}

func (c *cluster) infer(t *testing.T, kind, name, version string) *inference.Report {
	p, k, ok := plugins.All().ForKind(kind)
	if !ok {
		t.Fatalf("no kind %s", kind)
	}
	prof, err := profile.New(profile.Options{Emulate: version, Releases: plugins.All().Releases()})
	if err != nil {
		t.Fatal(err)
	}
	target := view.Target{Kind: k, Namespace: clusterdsl.Namespace, Name: name}
	for {
		r := c.readable().Reader()
		d, err := p.Run(r, prof, target, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := p.Subject(r, prof, target)
		if err != nil {
			t.Fatal(err)
		}
		if report := inference.NewReport(d, inference.Infer(r, s)); len(r.Missing()) == 0 {
			return report
		}
		c.refused = append(c.refused, r.Missing()...)
	}
}

func prose(r *inference.Report, fired map[string]bool) string {
	var b strings.Builder
	i := r.Inferred
	line := func(head string, rule decision.Ruling) {
		fired[rule.Rule] = true
		fmt.Fprintf(&b, "%s%s [%s]\n", head, rule.Message, rule.Rule)
	}
	fmt.Fprintln(&b, r.Answer)
	line(i.Verdict.Words()+": ", i.Ruling)
	line("  then ", i.Then)
	for _, e := range i.Evidence {
		line("  from "+e.Source.String()+": ", e.Ruling)
	}
	for _, c := range i.CantTell {
		line("  can't tell: ", c)
	}
	for _, e := range i.Settle {
		line("  look at "+e.Source.String()+": ", e.Ruling)
	}
	if i.Verdict == inference.PossiblyPending && !slices.Contains([]string{inference.ThenWaits, inference.ThenBlocked, inference.ThenDropped, inference.ThenRetries}, i.Then.Rule) {
		fmt.Fprintln(&b, "a verdict of perhaps says what it would hold back")
	}
	return b.String()
}
