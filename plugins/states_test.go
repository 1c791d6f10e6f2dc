package plugins_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/golden"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/sketch"
)

// TestStates shows in which state each plugin finds its targets, and why.
func TestStates(t *testing.T) {
	for _, name := range []string{"ReplicaSets", "Deployments", "CloneSets"} {
		golden.File(t, "testdata/states/"+name, func(t *testing.T, td *datadriven.TestData, v *view.View) string {
			if td.Cmd != "explain" {
				td.Fatalf(t, "unknown directive %q", td.Cmd)
			}
			return standing(t, td, v)
		})
	}
}

// standing reads "explain rs/web unread=pods", and puts the state into prose.
func standing(t *testing.T, td *datadriven.TestData, v *view.View) string {
	t.Helper()
	kind, name, _ := strings.Cut(td.CmdArgs[0].Key, "/")
	plugin, k, ok := plugins.All().ForKind(kind)
	if !ok {
		td.Fatalf(t, "no plugin decides %s", kind)
	}
	p, err := profile.New(profile.Options{Emulate: golden.Arg(td, "version", "1.37")})
	if err != nil {
		t.Fatal(err)
	}
	src := &rounds{all: v, forbid: golden.Arg(td, "unread", "")}
	settled, err := view.Settle(t.Context(), src, func(v *view.View) (*decision.Decision, []*view.Reader, error) {
		r := v.Reader()
		d, err := plugin.Run(r, p, view.Target{Kind: k, Namespace: sketch.Namespace, Name: name}, nil)
		return d, []*view.Reader{r}, err
	})
	if err != nil {
		return "error: " + err.Error()
	}
	return said(settled.Value())
}

func said(d *decision.Decision) string {
	var b strings.Builder
	fmt.Fprintln(&b, d.Headline)
	if !d.Since.IsZero() {
		fmt.Fprintln(&b, "since", d.Since.UTC().Format("15:04:05"))
	}
	sayCauses(&b, "blocked by", d.BlockedBy)
	sayCauses(&b, "waits for", d.WaitingFor)
	if d.Next != "" {
		fmt.Fprintln(&b, "next:", d.Next)
	}
	return b.String()
}

func sayCauses(b *strings.Builder, word string, causes []decision.Cause) {
	for _, c := range causes {
		fmt.Fprintf(b, "%s %s: %s: %s (%s)", word, c.Object, c.Reason, c.Message, c.Evidence)
		if !c.BlockedAt.IsZero() {
			fmt.Fprint(b, ", blocks at ", c.BlockedAt.UTC().Format("15:04:05"))
		}
		fmt.Fprintln(b)
	}
}
