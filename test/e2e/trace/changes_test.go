package trace

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// report is what a run under random changes came to, for docs/fidelity.md.
type report struct {
	Changes map[string]int `json:"changes"`
	Total   int            `json:"total"`
	Writes  int            `json:"writes"`
	Unseen  int            `json:"unseen"`
	Summary entry.Summary  `json:"summary"`
	// TakenFor are deletions by others of pods that the controller was about to
	// delete: events do not tell who it was.
	TakenFor int `json:"takenFor"`
	// Accused are those of them that the trace held against itself: others were
	// about to be deleted.
	Accused int `json:"accused"`
	// FalseLate are delays called out although the controller acted.
	FalseLate int `json:"falseLate"`
}

// TestRandomChanges drives a namespace at random under trace -A: every act of
// the controllers is predicted, or is explained, and none is called late that
// is not. TRACE_CHANGES says how many changes, 100 when not set; with more than
// that, the control plane is restarted meanwhile as well. TRACE_RECORD keeps all
// events in a file, to be replayed.
func TestRandomChanges(t *testing.T) {
	d := newDriver(t, env.plane, newNamespace(t), 1)
	write(t, "TRACE_REPORT", d.run(100, d.workloads, d.pick))
}

// run makes changes under trace -A and holds what it says against the audit
// log. usual is how many changes there are when $TRACE_CHANGES does not say.
func (d *driver) run(usual int, begin func(), pick func() (string, func(context.Context) error)) report {
	changes, t := changesOr(d.T, usual), d.T
	mark, err := d.on.AuditMark()
	check(t, err)
	args := []string{"-A"}
	if path := os.Getenv("TRACE_RECORD"); path != "" {
		args = append(args, "--record", path)
	}
	r := startTrace(t, d.on.Kubeconfig(), args...)
	d.restarts = changes > 100
	begin()
	for range changes {
		d.change(pick)
	}
	r.quiet(12*time.Second, 3*time.Minute)
	sum := r.stop()
	events, _, err := d.on.AuditEvents(mark)
	check(t, err)
	rep := judge(t, r.all(), events, d.ns, sum)
	rep.Changes, rep.Total = d.counts, changes
	t.Logf("%+v", rep)
	return rep
}

func changesOr(t *testing.T, usual int) int {
	text := os.Getenv("TRACE_CHANGES")
	if text == "" {
		return usual
	}
	changes, err := strconv.Atoi(text)
	check(t, err)
	return changes
}

func judge(t *testing.T, entries []entry.Entry, events []controlplane.AuditEvent, ns string, sum entry.Summary) report {
	rep := report{Summary: sum}
	did, saw, lost := done(events, ns), seen(entries), cutOff(events, ns)
	for _, what := range slices.Sorted(maps.Keys(did)) {
		rep.Writes += did[what]
		if missing := did[what] - saw[what]; missing > 0 {
			rep.Unseen += missing
			t.Logf("the controllers did %q %d times, the trace saw %d; foreign: %s", what, did[what], saw[what], foreign(entries, what))
		}
	}
	others := deletedByOthers(events, ns)
	for _, what := range slices.Sorted(maps.Keys(saw)) {
		switch {
		case saw[what] <= did[what]+lost[what]:
		case others[what]:
			rep.TakenFor++
		default:
			t.Errorf("the trace saw %q %d times, the controllers did it %d times", what, saw[what], did[what])
		}
	}
	for _, e := range entries {
		switch {
		case e.Type == entry.Note:
			t.Logf("%v %s", e.At, e.Message)
		case e.Act != nil && e.Act.Standing == entry.Otherwise && others["delete pods/"+e.Act.Object.Name] && did["delete pods/"+e.Act.Object.Name] == 0:
			rep.Accused++
		case e.Act != nil && e.Act.Standing == entry.Otherwise:
			t.Errorf("not predicted: %s %s of %s at %v (seen %v); wanted %+v", e.Act.Verb, e.Act.Object.Name, e.Object.Name, e.At, e.Act.SeenAt, e.Act.Wanted)
		case e.Verdict != nil && e.Verdict.State == entry.Late:
			t.Logf("called late: %s at %v: %+v", e.Object.Name, e.At, *e.Verdict)
			if did := writesAbout(events, *e.Object, e.Verdict.Since.Add(time.Second), e.At); len(did) > 0 {
				rep.FalseLate++
				t.Errorf("it was not: %v", did)
			}
		}
	}
	return rep
}

// foreign is what the trace took for somebody else's.
func foreign(entries []entry.Entry, what string) string {
	for _, e := range entries {
		if e.Act != nil && e.Act.Standing == entry.Foreign && strings.HasSuffix(what, "/"+e.Act.Object.Name) {
			return fmt.Sprintf("%v %s", e.Act.SeenAt, e.Act.Why)
		}
	}
	return "no"
}

// write keeps a report in the file that an environment variable names, if it does.
func write(t *testing.T, variable string, rep report) {
	path := os.Getenv(variable)
	if path == "" {
		return
	}
	text, err := json.MarshalIndent(rep, "", "  ")
	check(t, err)
	check(t, os.WriteFile(path, text, 0o600))
}
