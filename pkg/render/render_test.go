package render_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// TestGoldens shows whole pages: "explain rs/web wide width=72 colour".
func TestGoldens(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var v *view.View
		datadriven.RunTest(t, path, func(t *testing.T, td *datadriven.TestData) string {
			if td.Cmd == "cluster" {
				var err error
				if v, err = clusterdsl.Parse(td.Input); err != nil {
					td.Fatalf(t, "%v", err)
				}
				return ""
			}
			var out bytes.Buffer
			d := decide(t, v, td.CmdArgs[0].Key)
			if err := pages[td.Cmd](&out, d, options(t, td)); err != nil {
				td.Fatalf(t, "%v", err)
			}
			return strings.ReplaceAll(out.String(), "\x1b", "␛")
		})
	})
}

var pages = map[string]func(*bytes.Buffer, *decision.Decision, render.Options) error{
	"explain": func(w *bytes.Buffer, d *decision.Decision, o render.Options) error { return render.Explain(w, d, o) },
	"plan":    func(w *bytes.Buffer, d *decision.Decision, o render.Options) error { return render.Plan(w, d, o) },
	"list": func(w *bytes.Buffer, d *decision.Decision, o render.Options) error {
		return render.List(w, []*decision.Decision{d, d}, true, render.NextColumn, o)
	},
	"name": func(w *bytes.Buffer, d *decision.Decision, _ render.Options) error {
		return render.Names(w, render.Named{Objects: render.Touched(d)})
	},
}

// options reads "wide colour width=72".
func options(t *testing.T, td *datadriven.TestData) render.Options {
	var o render.Options
	for _, a := range td.CmdArgs[1:] {
		switch a.Key {
		case "wide":
			o.Wide = true
		case "colour":
			o.Colour = true
		case "width":
			a.Scan(t, 0, &o.Width)
		}
	}
	return o
}

func decide(t *testing.T, v *view.View, target string) *decision.Decision {
	t.Helper()
	kind, name, _ := strings.Cut(target, "/")
	p, k, ok := plugins.All().ForKind(kind)
	if !ok {
		t.Fatalf("no plugin for %q", kind)
	}
	prof, err := profile.New(profile.Options{Emulate: "1.37", Releases: plugins.All().Releases()})
	if err != nil {
		t.Fatal(err)
	}
	d, err := p.Run(v.Reader(), prof, view.Target{Kind: k, Namespace: clusterdsl.Namespace, Name: name}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestHostileTextStaysText: what drives a terminal is shown, not sent.
func TestHostileTextStaysText(t *testing.T) {
	d := &decision.Decision{
		Answer:   "replicaset/web \x1b[2J will\u202e do",
		Actions:  []decision.Action{{Verb: decision.Delete, Object: decision.Ref{Kind: "Pod", Name: "a\x07b"}, Count: 1}},
		Evidence: []decision.Evidence{{Ruling: decision.Ruling{Message: "line one\nline two\x1b]0;title\x07"}}},
	}
	var out bytes.Buffer
	if err := render.Explain(&out, d, render.Options{Wide: true}); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"\x1b", "\x07", "\u202e"} {
		if strings.Contains(out.String(), bad) {
			t.Errorf("%q reached the terminal:\n%s", bad, out.String())
		}
	}
	if !strings.Contains(out.String(), `\u001b[2J`) {
		t.Errorf("want it shown as an escape:\n%s", out.String())
	}
}
