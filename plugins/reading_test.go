package plugins_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/golden"
)

// TestReading shows what each plugin reads of a cluster, round by round: what
// it finds decides what it reads next.
func TestReading(t *testing.T) {
	golden.File(t, "testdata/reading", func(t *testing.T, td *datadriven.TestData, v *view.View) string {
		if td.Cmd != "explain" && td.Cmd != "simulate" {
			td.Fatalf(t, "unknown directive %q", td.Cmd)
		}
		kind, name, _ := strings.Cut(td.CmdArgs[0].Key, "/")
		return reading(t, v, kind, name, td.Cmd == "simulate")
	})
}

func reading(t *testing.T, v *view.View, kind, name string, rounds bool) string {
	t.Helper()
	plugin, k, ok := plugins.All().ForKind(kind)
	if !ok {
		t.Fatalf("no plugin decides %s", kind)
	}
	p, err := profile.New(profile.Options{Emulate: "1.37", Releases: plugins.All().Releases()})
	if err != nil {
		t.Fatal(err)
	}
	src, target := &source{all: v}, view.Target{Kind: k, Namespace: clusterdsl.Namespace, Name: name}
	_, err = view.Settle(t.Context(), src, func(v *view.View) (*decision.Decision, []*view.Reader, error) {
		if rounds {
			return plugin.Simulate(v, p, target, nil, simulate.Options{})
		}
		r := v.Reader()
		d, err := plugin.Run(r, p, target, nil)
		return d, []*view.Reader{r}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(src.log, "\n")
}

// source is a cluster that notes what is read of it.
type source struct {
	view.Source
	all  *view.View
	read []view.Need
	log  []string
	// forbid is a resource that can't be read; empty for none.
	forbid string
}

func (s *source) Load(_ context.Context, needs []view.Need) (*view.View, error) {
	s.read = append(s.read, needs...)
	for i, n := range needs {
		mark := ""
		if i == 0 {
			mark = "then"
		}
		s.log = append(s.log, fmt.Sprintf("%-5s%s%s", mark, n, map[view.Detail]string{view.Metadata: ", metadata"}[n.Detail]))
	}
	b := view.NewBuilder(s.all.Now())
	b.FromFiles(s.all.FromFiles())
	for _, k := range view.Kinds() {
		if k.Resource != s.forbid && slices.ContainsFunc(s.read, func(n view.Need) bool { return n.Kind.GroupKind() == k.GroupKind() }) {
			for _, obj := range s.all.All(k) {
				b.Add(k, obj)
			}
		}
	}
	for _, n := range s.read {
		b.Reads(n, s.refused(n))
	}
	return b.View(), nil
}

func (s *source) refused(n view.Need) error {
	if n.Kind.Resource == s.forbid {
		return fmt.Errorf("%s is forbidden", n.Kind.GroupResource())
	}
	return nil
}
