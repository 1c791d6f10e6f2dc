package plugins_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/golden"
)

// TestStates shows in which state each plugin finds its targets, and why.
func TestStates(t *testing.T) {
	for _, name := range []string{"ReplicaSets", "Deployments", "CloneSets"} {
		golden.File(t, "testdata/states/"+name, func(t *testing.T, td *datadriven.TestData, v *view.View) string {
			if td.Cmd != "explain" {
				td.Fatalf(t, "unknown directive %q", td.Cmd)
			}
			found, mangled := standing(t, td, v, plugins.All()), standing(t, td, v, golden.Mangled(plugins.All()))
			if a, b := verdict(found), verdict(mangled); a != b {
				t.Errorf("%s: with facts and messages mangled the state is\n%s\nand not\n%s", td.Pos, b, a)
			}
			return found.text
		})
	}
}

// standing reads "explain rs/web unread=pods closely ready", and puts the state into prose.
func standing(t *testing.T, td *datadriven.TestData, v *view.View, of controller.Registry) found {
	t.Helper()
	kind, name, _ := strings.Cut(td.CmdArgs[0].Key, "/")
	plugin, k, ok := of.ForKind(kind)
	if !ok {
		td.Fatalf(t, "no plugin decides %s", kind)
	}
	p, err := profile.New(profile.Options{Emulate: golden.Arg(td, "version", "1.37"), Releases: plugins.All().Releases()})
	if err != nil {
		t.Fatal(err)
	}
	src := &source{all: v, forbid: golden.Arg(td, "unread", "")}
	settled, err := view.Settle(t.Context(), src, func(v *view.View) (*decision.Decision, []*view.Reader, error) {
		if td.HasArg("closely") {
			v = v.LookedAtClosely()
		}
		r := v.Reader()
		d, err := plugin.Run(r, p, view.Target{Kind: k, Namespace: clusterdsl.Namespace, Name: name}, nil)
		return d, []*view.Reader{r}, err
	})
	if err != nil {
		return found{text: "error: " + err.Error()}
	}
	d := settled.Value()
	text := said(d)
	if td.HasArg("ready") {
		text = fmt.Sprintf("%s%d of %d ready\n", text, d.Replicas.Ready, d.Replicas.Desired)
	}
	return found{d, text}
}

// found is a decision, nil for an error, and how it is said.
type found struct {
	d    *decision.Decision
	text string
}

// verdict is what is found without any message of it.
func verdict(f found) string {
	if f.d == nil {
		return f.text
	}
	var b strings.Builder
	fmt.Fprintln(&b, f.d.State, f.d.Since)
	for _, c := range f.d.Causes() {
		fmt.Fprintln(&b, c.Object, c.Reason, c.Evidence, c.Since, c.BlockedAt)
	}
	return b.String()
}

func said(d *decision.Decision) string {
	var b strings.Builder
	fmt.Fprintln(&b, d.Headline)
	if !d.Since.IsZero() {
		fmt.Fprintln(&b, "since", d.Since.UTC().Format("15:04:05"))
	}
	sayCauses(&b, "blocked by", d.BlockedBy)
	sayCauses(&b, "waits for", d.WaitingFor)
	sayCauses(&b, "still terminating", d.StillTerminating)
	sayCauses(&b, "restarting", d.Restarting)
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
