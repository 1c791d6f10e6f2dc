package cloneset

import (
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/cloneset/contract"
)

// TestAfter: what retries of conflicts sleep is no difference, and without a conflict, a
// nanosecond is one.
func TestAfter(t *testing.T) {
	for _, c := range []struct {
		says, observed string
		failed         []string
		differs        bool
	}{
		{"8m21s", "8m21s", nil, false},
		{"8m21s", "8m20.999999999s", nil, true},
		{"8m21s", "8m20.989s", []string{"Conflict"}, false},
		{"8m21s", "8m20.989s", []string{"InternalError"}, true},
		{"8m21s", "8m20.5s", []string{"Conflict"}, true},
		{"8m21s", "8m20.5s", []string{"Conflict", "Conflict"}, false},
		{"8m21s", "8m21.1s", []string{"Conflict"}, true},
		{"8m21s", "", []string{"Conflict"}, true},
		{"", "8m21s", []string{"Conflict"}, true},
		{"", "", nil, false},
	} {
		run := &contract.Run{RequeueAfter: c.observed}
		for _, f := range c.failed {
			run.Writes = append(run.Writes, contract.Write{Failed: f})
		}
		var d diff
		if d.after(c.says, run); len(d) > 0 != c.differs {
			t.Errorf("%q and %q after %v: %v", c.says, c.observed, c.failed, d)
		}
	}
}
