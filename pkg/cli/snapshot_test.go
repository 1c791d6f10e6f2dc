package cli

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// late is a source whose answers of the first loads lack something.
type late struct {
	view.Source
	lacking view.Source
	loads   int
}

func (l *late) Load(ctx context.Context, needs []view.Need) (*view.View, error) {
	if l.loads--; l.loads >= 0 {
		return l.lacking.Load(ctx, needs)
	}
	return l.Source.Load(ctx, needs)
}

// TestSnapshotOfWhatComesLate: what comes too late for one of a snapshot's decisions is
// asked for again, with all that it leads to. What stays away is not called read.
func TestSnapshotOfWhatComesLate(t *testing.T) {
	text, err := os.ReadFile("../../docs/examples/shop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	const pods = "  resource: pods\n  namespace: shop\n  detail: full\n"
	if !bytes.Contains(text, []byte(pods)) {
		t.Fatalf("the example does not say that its Pods were read")
	}
	lacking := bytes.Replace(text, []byte(pods), []byte(pods+"  reason: Timeout\n  error: too late\n"), 1)
	open := func(of []byte) view.Source {
		src, err := bundle.Open([]string{"-"}, bytes.NewReader(of), bundle.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return src
	}
	snapshot := func(src view.Source) (all string, err error) {
		env := Env{Controllers: plugins.All(), Clock: clock.RealClock{}}
		subjects, err := env.parser().everyKind()
		if err != nil {
			t.Fatal(err)
		}
		_, reads, _, err := readFor(t.Context(), &session{opened: &opened{Source: src, controllers: env.Controllers, files: true}, subjects: subjects})
		for _, r := range reads {
			state := "read"
			if r.Err != nil {
				state = r.Err.Error()
			}
			all += r.ID() + ": " + state + "\n"
		}
		return all, err
	}
	want, err := snapshot(open(text))
	if err != nil {
		t.Fatal(err)
	}
	whole := 0
	for loads := range 12 {
		got, err := snapshot(&late{Source: open(text), lacking: open(lacking), loads: loads})
		switch {
		case err == nil && sorted(got) == sorted(want):
			whole++
		case !strings.Contains(got, "too late"):
			t.Errorf("%d loads without Pods: %v\n%s\nwant\n%s", loads, err, sorted(got), sorted(want))
		}
	}
	if whole < 6 { // the others begin when all decisions are made
		t.Errorf("%d of 12 hold all, want 6", whole)
	}
	once := &late{Source: open(text)}
	if _, err := snapshot(once); err != nil || once.loads < -10 {
		t.Errorf("nothing comes late: %d loads, %v", -once.loads, err)
	}
	got, _ := snapshot(&late{Source: open(text), lacking: open(lacking), loads: 1000})
	if !strings.Contains(got, "too late") {
		t.Errorf("no Pods: they are called read\n%s", got)
	}
}

func sorted(text string) string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
