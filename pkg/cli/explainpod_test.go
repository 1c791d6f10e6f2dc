package cli

import (
	"testing"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestPodGist: a taint that deletes a Pod, or another instant of it, is news of the Pod;
// how long it takes until then is not.
func TestPodGist(t *testing.T) {
	at := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	gist := func(e *decision.TaintEviction) string {
		return podsReply{{TaintEviction: e}}.gist()
	}
	one := gist(&decision.TaintEviction{Taint: "a", At: at, Message: "in 3m"})
	for _, other := range []*decision.TaintEviction{nil, {Taint: "b", At: at}, {Taint: "a", At: at.Add(time.Second)}} {
		if gist(other) == one {
			t.Errorf("%+v is no news", other)
		}
	}
	if gist(&decision.TaintEviction{Taint: "a", At: at, Message: "in 2m"}) != one {
		t.Error("time that passes is news")
	}
}
