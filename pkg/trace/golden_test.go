package trace_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/golden"
)

// TestGoldens shows what a trace says: events go in, lines come out.
func TestGoldens(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		s := &stage{t: t}
		defer s.stop()
		datadriven.RunTest(t, path, s.run)
	})
}

// TestTextsDecideNothing: no fact and no message of a decision changes what a trace
// queues, expects and finds.
func TestTextsDecideNothing(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		s, mangled := &stage{t: t}, &stage{t: t, controllers: golden.Mangled(plugins.All())}
		defer s.stop()
		defer mangled.stop()
		datadriven.RunTest(t, path, func(t *testing.T, td *datadriven.TestData) string {
			out := s.run(t, td)
			mangled.run(t, td)
			if s.course.String() != mangled.course.String() {
				t.Errorf("%s: with mangled texts it is\n%s\nand with them\n%s", td.Pos, mangled.course.String(), s.course.String())
			}
			return out
		})
	})
}

// stage is one engine that is fed by hand.
type stage struct {
	t *testing.T
	// controllers are all where none are given.
	controllers controller.Registry
	// course is what happens, without what is said about it.
	course  strings.Builder
	engine  *trace.Engine
	now     time.Time
	out     strings.Builder
	version int
}

func (s *stage) stop() {
	if s.engine != nil {
		s.engine.Stop()
	}
}

// run reads "start [version=1.33] [brief] [internals] [kruise-gate=G]" with the first lists and
// events that come before they are read, and "at 1.5s" with events: added, updated, deleted, missed (a tombstone),
// replaced, and sync (a repetition), each with an object, which " @3" at its end gives a
// resource version that is not the next; "unread events" says that
// events can't be read; "end" sums up.
func (s *stage) run(t *testing.T, td *datadriven.TestData) string {
	s.out.Reset()
	switch td.Cmd {
	case "start":
		s.start(t, td)
	case "at":
		s.at(t, td)
	case "unread":
		for _, k := range view.Kinds() {
			if k.Resource == td.CmdArgs[0].Key {
				s.engine.Unread(view.Need{Kind: k}, fmt.Errorf("%s: forbidden", k.Resource))
			}
		}
	case "end":
		s.engine.End(s.now)
	default:
		td.Fatalf(t, "unknown directive %q", td.Cmd)
	}
	return s.out.String()
}

func (s *stage) start(t *testing.T, td *datadriven.TestData) {
	about := profile.ProgramOptions{}
	if gate := golden.Arg(td, "kruise-gate", ""); gate != "" {
		about.Gates = map[string]bool{gate: true}
	}
	p, err := profile.New(profile.Options{Emulate: golden.Arg(td, "version", "1.37"), Programs: map[string]profile.ProgramOptions{kruise.Program.Name: about}, Releases: plugins.All().Releases()})
	if err != nil {
		t.Fatal(err)
	}
	s.stop()
	if s.controllers == nil {
		s.controllers = plugins.All()
	}
	var internals *trace.Internals
	if golden.Arg(td, "internals", "no") != "no" {
		internals = &trace.Internals{}
	}
	s.engine = trace.New(trace.Options{
		Internals: internals,
		Profile:   p, Controllers: s.controllers.Running(), Start: clusterdsl.Now, Out: s.print, Brief: golden.Arg(td, "brief", "no") != "no",
	})
	for _, k := range view.Kinds() {
		s.engine.Follows(k)
	}
	for _, line := range lines(td.Input) {
		what, rest, _ := strings.Cut(line, " ")
		if _, event := deltas[what]; event {
			kind, obj := s.object(t, rest)
			s.engine.Feed(clusterdsl.Now, deltaOf(t, what, kind, obj))
			continue
		}
		kind, obj := s.object(t, line)
		s.engine.Feed(clusterdsl.Now, trace.Delta{Type: cache.Replaced, Kind: kind, Object: obj, Initial: true})
	}
	s.now = clusterdsl.Now
	if err := s.engine.Run(s.now); err != nil {
		t.Fatal(err)
	}
}

func (s *stage) at(t *testing.T, td *datadriven.TestData) {
	after, err := time.ParseDuration(td.CmdArgs[0].Key)
	if err != nil {
		t.Fatal(err)
	}
	s.now = clusterdsl.Now.Add(after)
	for _, line := range lines(td.Input) {
		what, rest, _ := strings.Cut(line, " ")
		kind, obj := s.object(t, rest)
		s.engine.Feed(s.now, deltaOf(t, what, kind, obj))
	}
	s.engine.Drain(s.now)
}

var deltas = map[string]cache.DeltaType{
	"added": cache.Added, "updated": cache.Updated, "deleted": cache.Deleted, "missed": cache.Deleted, "replaced": cache.Replaced, "sync": cache.Sync,
}

func deltaOf(t *testing.T, what string, kind view.Kind, obj metav1.Object) trace.Delta {
	typ, ok := deltas[what]
	if !ok {
		t.Fatalf("%q is no event", what)
	}
	return trace.Delta{Type: typ, Kind: kind, Object: obj, Tombstone: what == "missed"}
}

func (s *stage) object(t *testing.T, line string) (view.Kind, metav1.Object) {
	line, version, late := strings.Cut(line, " @")
	v, err := clusterdsl.Parse(line)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range view.Kinds() {
		if all := v.All(k); len(all) > 0 {
			if !late {
				s.version++
				version = fmt.Sprint(s.version)
			}
			all[0].SetResourceVersion(version)
			return k, all[0]
		}
	}
	t.Fatalf("%q is no object", line)
	return view.Kind{}, nil
}

func (s *stage) print(e *entry.Entry) {
	s.note(e)
	if err := render.TraceLine(&s.out, e, render.Options{}); err != nil {
		s.t.Fatal(err)
	}
}

// note adds an entry to the course.
func (s *stage) note(e *entry.Entry) {
	fmt.Fprintf(&s.course, "%s %v", e.Type, e.Object)
	if e.Event != nil {
		for _, x := range e.Event.Effects {
			fmt.Fprintf(&s.course, " [%v %s %s %s]", x.Target, x.Observed, x.Queue, x.Delay)
		}
	}
	if e.Sync != nil {
		fmt.Fprintf(&s.course, " %s %d %s %t %t %+v", actionsOf(e.Sync.Action), e.Sync.Failures, e.Sync.Delay, e.Sync.TakenBack, e.Sync.Repeated, e.Sync.Expects)
	}
	if e.Act != nil {
		fmt.Fprintf(&s.course, " %s %s %s", e.Act.Verb, e.Act.Object, e.Act.Standing)
	}
	if e.Verdict != nil {
		fmt.Fprintf(&s.course, " %s since %s %v", e.Verdict.State, e.Verdict.Since, actionsOf(e.Verdict.Actions))
	}
	if e.Summary != nil {
		fmt.Fprintf(&s.course, " %+v", *e.Summary)
	}
	fmt.Fprintln(&s.course)
}

func actionsOf(all []entry.Action) string {
	text, err := json.Marshal(all)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func lines(text string) []string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}
