package plugins_test

import (
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/golden"
)

// TestLeader shows what the Lease of each controller's manager adds to what is due.
func TestLeader(t *testing.T) {
	all := plugins.All()
	golden.File(t, "testdata/leader", func(t *testing.T, td *datadriven.TestData, v *view.View) string {
		if td.Cmd != "sync" {
			td.Fatalf(t, "unknown directive %q", td.Cmd)
		}
		kind, name, _ := strings.Cut(td.CmdArgs[0].Key, "/")
		c, k, ok := all.ForKind(kind)
		if !ok {
			td.Fatalf(t, "no controller decides %q", kind)
		}
		gates, err := c.Releases.ParseGates(golden.Arg(td, "gates", ""))
		if err != nil {
			td.Fatalf(t, "%v", err)
		}
		p, err := profile.New(profile.Options{Emulate: golden.Arg(td, "version", "1.37"), Gates: gates, Releases: all.Releases()})
		if err != nil {
			td.Fatalf(t, "%v", err)
		}
		d, err := c.Next(v.Reader(), p, view.Target{Kind: k, Namespace: clusterdsl.Namespace, Name: name})
		if err != nil {
			td.Fatalf(t, "%v", err)
		}
		return clusterdsl.Prose(d, "evidence")
	})
}
