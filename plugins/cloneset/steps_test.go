package cloneset_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// release is a CloneSet with healthy pods of an older revision, and maybe too
// many or too few of them, about to be rolled out.
type release struct {
	replicas, pods, partition, maxUnavailable, maxSurge, minReady, grace int
	way                                                                  string
	// quota is how many pods the namespace takes; 0 for any number.
	quota int
	// spec is what else it asks for; so many Pods are not ready; the last one is in state; all are of
	// one age where they tie.
	spec     string
	notReady int
	state    string
	tied     bool
}

func drawRelease(t *rapid.T) release {
	small := func(name string, from, to int) int { return rapid.IntRange(from, to).Draw(t, name) }
	r := release{replicas: small("replicas", 1, 6), maxSurge: small("maxSurge", 0, 2), minReady: small("minReady", 0, 5), grace: small("grace", 0, 3)}
	r.pods, r.partition = small("pods", 1, 7), small("partition", 0, r.replicas)
	r.maxUnavailable = small("maxUnavailable", 1, 3)
	r.way = rapid.SampledFrom([]string{"ReCreate", "InPlaceIfPossible", "InPlaceOnly"}).Draw(t, "type")
	if r.way == "InPlaceOnly" {
		r.maxSurge = 0 // the webhook refuses it
	}
	return r
}

func (r release) view(t *rapid.T) *view.View {
	var b strings.Builder
	fmt.Fprintf(&b, "manager v1.9.1\ncs sample selector=app=web image=web:2 tlabel=app:web current=sample-a replicas=%d type=%s partition=%d maxUnavailable=%d maxSurge=%d minReady=%d graceSeconds=%d%s\n",
		r.replicas, r.way, r.partition, r.maxUnavailable, r.maxSurge, r.minReady, r.grace, r.spec)
	b.WriteString("rev sample-a of=cs/sample number=1 app=web image=web:1 tlabel=app:web\n")
	for i := range r.pods {
		age := i + 1
		if r.tied {
			age = 1
		}
		ready := fmt.Sprintf("ready=%dm", 60*age-30)
		if i < r.notReady {
			ready = "notready=10m"
		}
		state := "Normal"
		if i == r.pods-1 && r.state != "" {
			state = r.state
		}
		fmt.Fprintf(&b, "kpod sample-%d of=cs/sample app=web zone=%c rev=sample-a state=%s age=%dh %s node=n%d id=%d image=web:1 running=old gate inplace=True\n", i, 'a'+i%3, state, age, ready, i%3, i)
	}
	if r.quota > 0 {
		fmt.Fprintf(&b, "quota pods pods=%d/%d\n", r.pods, r.quota)
	}
	v, err := clusterdsl.Parse(b.String())
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func (r release) simulate(t *rapid.T) *decision.Timeline {
	p, err := profile.New(profile.Options{Emulate: "1.36"})
	if err != nil {
		t.Fatal(err)
	}
	target := view.Target{Kind: view.CloneSets, Namespace: clusterdsl.Namespace, Name: "sample"}
	d, _, err := cloneset.Controller().Simulate(r.view(t), p, target, nil, simulate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d.Timeline
}

// A healthy release reaches what its spec asks for, within what it allows.
func TestReleasesArrive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRelease(t)
		line := r.simulate(t)
		end := line.End
		updated := 0
		for _, c := range end.Counts.Revisions {
			if c.Role == decision.New {
				updated += c.Pods
			}
		}
		if end.Outcome != decision.Stable || end.Counts.Pods != r.replicas || end.Counts.Available != r.replicas {
			t.Fatalf("%+v ends %s: %+v\n%s", r, end.Outcome, end.Counts, clusterdsl.Timeline(line))
		}
		if updated < r.replicas-r.partition {
			t.Fatalf("%+v: %d updated\n%s", r, updated, clusterdsl.Timeline(line))
		}
		if allowed := max(r.maxUnavailable, r.replicas-r.pods); line.Peak.Unavailable > allowed {
			t.Fatalf("%+v: %d unavailable\n%s", r, line.Peak.Unavailable, clusterdsl.Timeline(line))
		}
		for _, round := range line.Rounds {
			if round.Counts.Pods > max(r.replicas+r.maxSurge, r.pods) {
				t.Fatalf("%+v: round %d has %d pods", r, round.Number, round.Counts.Pods)
			}
		}
		if pods := line.Counts.Pods + line.Totals.Create - line.Totals.Delete; pods != end.Counts.Pods {
			t.Fatalf("%+v: %d pods and %+v make %d", r, line.Counts.Pods, line.Totals, end.Counts.Pods)
		}
	})
}

// A release that a quota leaves no surplus waits until deleted pods are gone, and
// arrives.
func TestReleasesStayWithinAQuota(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRelease(t)
		r.way, r.maxSurge, r.quota = "ReCreate", 0, max(r.replicas, r.pods)
		line := r.simulate(t)
		for _, round := range line.Rounds {
			if n := round.Counts.Pods + round.Counts.Terminating; n > r.quota {
				t.Fatalf("%+v: round %d leaves %d pods\n%s", r, round.Number, n, clusterdsl.Timeline(line))
			}
		}
		if end := line.End; end.Counts.Pods != r.replicas || end.Counts.Available != r.replicas {
			t.Fatalf("%+v ends %s: %+v\n%s", r, end.Outcome, end.Counts, clusterdsl.Timeline(line))
		}
	})
}

func TestSimulatingAReleaseIsAFunction(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRelease(t)
		if first, again := r.simulate(t), r.simulate(t); !reflect.DeepEqual(first, again) {
			t.Fatalf("twice the same gave\n%s\nand\n%s", clusterdsl.Timeline(first), clusterdsl.Timeline(again))
		}
	})
}

// TestBriefly: what the decisions of later rounds leave out changes nothing that comes of
// them.
func TestBriefly(t *testing.T) {
	p, err := profile.New(profile.Options{Emulate: "1.36"})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		r := drawRelease(t)
		r.spec = rapid.SampledFrom([]string{"", " paused", " weight=zone:a:10,zone:b:5", " scatter=zone:a", " inPlaceUpdate=app:web", " preDelete=app:web"}).Draw(t, "spec")
		r.notReady = rapid.IntRange(0, 3).Draw(t, "notReady")
		r.tied = rapid.Bool().Draw(t, "tied")
		r.state = rapid.SampledFrom([]string{"", "PreparingDelete", "PreparingUpdate"}).Draw(t, "state")
		c, brief := cloneset.Controller(), 0
		step := c.Step
		c.Step = func(reader *view.Reader, p profile.Profile, target view.Target) (*simulate.Sync, error) {
			s, err := step(reader, p, target)
			if err != nil || !reader.Brief() {
				return s, err
			}
			whole, err := step(reader.Reader(), p, target)
			if err != nil {
				return nil, err
			}
			brief++
			if diff := cmp.Diff(told(whole), told(s)); diff != "" {
				t.Fatalf("%+v: briefly, another sync:\n%s", r, diff)
			}
			return s, nil
		}
		target := view.Target{Kind: view.CloneSets, Namespace: clusterdsl.Namespace, Name: "sample"}
		if _, _, err := c.Simulate(r.view(t), p, target, nil, simulate.Options{}); err != nil {
			t.Fatal(err)
		}
		if brief == 0 {
			t.Skip("one sync")
		}
	})
}

// outcome is what comes of a sync.
type outcome struct {
	Decision decision.Decision
	Sync     simulate.Sync
	Writes   []string
	Why      []decision.Ruling
	BySpec   bool
}

// told is the outcome without what is said of one Pod after the other.
func told(s *simulate.Sync) outcome {
	o := outcome{Decision: *s.Decision, Sync: simulate.Sync{Wanted: s.Wanted, Terminating: s.Terminating, Pods: s.Pods, Looks: s.Looks, Waits: s.Waits, Ripens: s.Ripens, Refused: s.Refused, Retried: s.Retried}}
	o.Decision.Claims, o.Decision.Updates = nil, nil
	for _, w := range s.Writes {
		o.Writes = append(o.Writes, fmt.Sprint(w.Verb, w.Kind.Kind, w.Name, w.With, w.Err))
	}
	o.Why, o.BySpec = s.Left()
	return o
}
