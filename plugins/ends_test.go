package plugins_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// everyTarget calls f for all that can be simulated in the sketches of all goldens.
func everyTarget(t *testing.T, f func(t *testing.T, v *view.View, p profile.Profile, at view.Target)) {
	t.Helper()
	all, err := clusterdsl.Goldens("..")
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.New(profile.Options{Emulate: "1.37", Releases: plugins.All().Releases()})
	if err != nil {
		t.Fatal(err)
	}
	for text, name := range all {
		v, err := clusterdsl.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, k := range plugins.All().Kinds() {
			for _, obj := range v.AllMetadata(k) {
				at := view.Target{Kind: k, Namespace: obj.GetNamespace(), Name: obj.GetName()}
				t.Run(name+"/"+k.Resource+"/"+at.Name, func(t *testing.T) { f(t, v, p, at) })
			}
		}
	}
}

// simulated is the end of all rounds of a target, and the state that explain gives it;
// nil where it can't be decided.
func simulated(t *testing.T, v *view.View, p profile.Profile, at view.Target, o simulate.Options) *decision.Decision {
	t.Helper()
	c, _, _ := plugins.All().ForKind(at.Kind.Resource)
	d, _, err := c.Simulate(v, p, at, nil, o)
	if err != nil || d.Timeline == nil {
		return nil
	}
	return d
}

// uncreated are the reasons of causes for which no Pod, or not all, are created.
var uncreated = []string{
	"NamespaceTerminating", "ExceededQuota", "RequestMissing", "UsageNotCounted", "OutsideRange", "Invalid",
	"WebhookDenied", "WebhookFailed", "FailedCreate", "PodSecurity",
}

// TestRefusedCreationsStay: where explain says that the API server refuses Pods, and
// nothing that happens changes that, they are not created until the end, which is not
// stable. Where a quota refused them that has room now, the first line says so.
func TestRefusedCreationsStay(t *testing.T) {
	met := map[string]int{}
	everyTarget(t, func(t *testing.T, v *view.View, p profile.Profile, at view.Target) {
		d := simulated(t, v, p, at, simulate.Options{})
		if d == nil || d.State != decision.StateBlocked {
			return
		}
		of := slices.IndexFunc(d.BlockedBy, func(c decision.Cause) bool { return slices.Contains(uncreated, c.Reason) })
		freed := d.Timeline.Totals.Delete > 0 || d.Timeline.Counts.Terminating > 0 // gives quotas room
		if of < 0 || freed && d.BlockedBy[of].Reason == "ExceededQuota" {
			return
		}
		met[d.BlockedBy[of].Reason]++
		accepted := d.Summary.Create
		for _, f := range d.Follows {
			accepted += f.Summary.Create
		}
		line := d.Timeline
		room := admission.Says(d.BlockedBy[of].Message) && strings.HasSuffix(line.Answer, d.BlockedBy[of].Label+".")
		stable := line.End.Outcome == decision.Stable && !room
		if stable || line.Totals.Create > accepted {
			t.Errorf("%s\n%s\n%d created, %d accepted", d.Headline, strings.TrimSpace(clusterdsl.Timeline(line)), line.Totals.Create, accepted)
		}
	})
	for _, reason := range uncreated {
		if met[reason] == 0 {
			t.Errorf("no golden meets %s: %v", reason, met)
		}
	}
}

// TestLagEndsAlike: however far the caches are behind, the clock runs forward, and all
// ends as without a lag. Expectations of a ReplicaSet expire, those of a CloneSet block.
func TestLagEndsAlike(t *testing.T) {
	everyTarget(t, func(t *testing.T, v *view.View, p profile.Profile, at view.Target) {
		d := simulated(t, v, p, at, simulate.Options{})
		if d == nil || d.Timeline.End.Outcome == decision.Unfinished {
			return
		}
		for _, lag := range []time.Duration{2 * time.Second, 10 * time.Second, 10 * time.Minute} {
			late := simulated(t, v, p, at, simulate.Options{WatchLag: lag}).Timeline
			if !forward(late) {
				t.Errorf("%s behind, the clock runs backwards:\n%s", lag, clusterdsl.Timeline(late))
			}
			if want, got := d.Timeline.End.Outcome, late.End.Outcome; got != want {
				t.Errorf("%s behind, it ends %s; at once: %s\n%s", lag, got, want, clusterdsl.Timeline(late))
			}
		}
	})
}

// forward reports whether no round is before the one before it, and the end not before
// the last.
func forward(line *decision.Timeline) bool {
	now := decision.Span(0)
	for _, r := range line.Rounds {
		if r.Clock < now {
			return false
		}
		now = r.Clock
	}
	return line.End.Clock >= now
}
