package render

import (
	"testing"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/inference"
)

// TestExpires: what was not seen counts no longer than the timeout, where there is one.
func TestExpires(t *testing.T) {
	now := time.Date(2026, 11, 1, 3, 0, 0, 0, time.UTC)
	soon := now.Add(90 * time.Second)
	for _, tt := range []struct {
		verdict inference.Verdict
		expires *time.Time
		then    string
		want    string
	}{
		{inference.Satisfied, nil, inference.ThenWaits, "-"},
		{inference.PossiblyPending, &soon, inference.ThenWaits, "in 90s"},
		{inference.PossiblyPending, nil, inference.ThenWaits, "5m at most"},
		{inference.PossiblyPending, nil, inference.ThenDropped, "5m at most"},
		{inference.PossiblyPending, nil, inference.ThenBlocked, "never"},
		{inference.PossiblyPending, nil, inference.ThenRetries, "never"},
	} {
		i := &inference.Inferred{Verdict: tt.verdict, Expires: tt.expires, Then: decision.Ruled(tt.then)}
		if got := expires(i, now); got != tt.want {
			t.Errorf("%s, %s: %q, want %q", tt.verdict, tt.then, got, tt.want)
		}
	}
}
