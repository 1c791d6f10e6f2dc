package health

import (
	"testing"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestPatience judges causes that began a minute ago by how long they may last.
func TestPatience(t *testing.T) {
	const never = -1
	minute := now.Add(-time.Minute)
	tests := []struct {
		class    Class
		began    time.Time
		deadline time.Duration
		patience time.Duration
		// after is how long after now it blocks.
		after time.Duration
	}{
		{Unschedulable, minute, 0, 0, -time.Minute},
		{Unschedulable, minute, 0, 30 * time.Second, -30 * time.Second},
		{Unschedulable, minute, 0, time.Hour, 59 * time.Minute},
		{ImageRefused, minute, 0, 5 * time.Minute, 4 * time.Minute},
		{ImageRefused, time.Time{}, 0, 5 * time.Minute, 5 * time.Minute},
		{Paused, time.Time{}, 0, 0, 0},
		{CrashLoop, minute, 0, 0, -time.Minute},
		{CrashLoop, minute, 0, time.Hour, 59 * time.Minute},
		{Failing, minute, 0, 0, -time.Minute},
		{Step, minute, 0, 0, 9 * time.Minute},
		{Step, minute, 20 * time.Minute, 0, 19 * time.Minute},
		{Step, minute, 0, time.Hour, 59 * time.Minute},
		{Step, time.Time{}, 0, 0, 10 * time.Minute},
		{Queued, minute, 0, 0, time.Minute},
		{MinReady, minute, 0, 0, never},
		{Budget, minute, 0, 0, never},
		{QuotaFreed, minute, 0, 0, never},
		{CreateRetried, minute, 0, time.Hour, 59 * time.Minute},
		{"", minute, 0, 0, never},
	}
	for _, tt := range tests {
		o := Options{Now: now, Deadline: tt.deadline}
		causes := []decision.Cause{{Reason: "R"}}
		if tt.class != "" {
			causes[0] = o.Judge(causes[0], tt.class, tt.began)
		}
		(&Patience{For: &tt.patience}).Judge(decision.Ref{Name: "web"}, causes, now)
		want := now.Add(tt.after)
		if tt.after == never {
			want = time.Time{}
		}
		if c := causes[0]; !c.BlockedAt.Equal(want) || c.Blocked != (tt.after != never && tt.after <= 0) {
			t.Errorf("%s with %s: blocks %v, from %s; want from %s", tt.class, tt.patience, c.Blocked, c.BlockedAt, want)
		}
	}
}

// TestPatienceRemembers: a cause that does not say when it began counts from when it
// was met, until it is gone. Those of several targets are told apart.
func TestPatienceRemembers(t *testing.T) {
	allowed := time.Minute
	p := &Patience{For: &allowed}
	blocked := func(target string, at time.Duration, reasons ...string) bool {
		var causes []decision.Cause
		for _, r := range reasons {
			causes = append(causes, Options{}.Judge(decision.Cause{Reason: r}, Paused, time.Time{}))
		}
		p.Judge(decision.Ref{Name: target}, causes, now.Add(at))
		return len(causes) > 0 && causes[len(causes)-1].Blocked
	}
	for i, step := range []struct {
		target  string
		at      time.Duration
		reasons []string
		want    bool
	}{
		{"a", 0, []string{"Paused"}, false},
		{"b", 59 * time.Second, []string{"Paused"}, false},
		{"a", 59 * time.Second, []string{"Paused", "Other"}, false},
		{"a", 60 * time.Second, []string{"Paused"}, true},
		{"b", 61 * time.Second, []string{"Paused"}, false},
		{"a", 61 * time.Second, nil, false},
		{"a", 62 * time.Second, []string{"Paused"}, false},
	} {
		if got := blocked(step.target, step.at, step.reasons...); got != step.want {
			t.Errorf("step %d: blocked %v, want %v", i, got, step.want)
		}
	}
}

// TestImpatience: without a duration, the graces stay as they are.
func TestImpatience(t *testing.T) {
	causes := []decision.Cause{Options{Now: now}.Judge(decision.Cause{}, Quota, time.Time{})}
	(&Patience{}).Judge(decision.Ref{}, causes, now)
	if !causes[0].Blocked || !causes[0].BlockedAt.IsZero() {
		t.Errorf("another verdict: %+v", causes[0])
	}
}

// TestPasses: what every rollout passes through ends by itself, and so does what another
// component is at work on.
func TestPasses(t *testing.T) {
	lasts := map[Class]bool{}
	for _, class := range []Class{Unschedulable, ImageRefused, ImageTransient, ConfigMissing, CrashLoop, Failing, Finished} {
		lasts[class] = true
	}
	for _, class := range []Class{Step, Queued, Provisioning, MinReady, PlaceFreed, ScalingUp} {
		lasts[class] = false
	}
	for class, want := range lasts {
		if got := !Passes(decision.Cause{Class: string(class)}); got != want {
			t.Errorf("%s lasts: %t, want %t", class, got, want)
		}
	}
}
