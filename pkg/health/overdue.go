package health

import (
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// Overdue completes the cause that progressDeadlineSeconds are over, as the condition
// Progressing says: it blocks unless the other causes say that Pods come up which began to after
// an instant. The condition stays until what is named, then.
func (o Options) Overdue(c decision.Cause, others []decision.Cause, after time.Time, until string) decision.Cause {
	c.Label, c.Briefs, c.Evidence = "progress deadline exceeded", []string{"deadline exceeded"}, "status.conditions[Progressing]"
	last := comeUp(others, after)
	c = o.Judge(c, Deadline, c.Since)
	if last.IsZero() {
		return c
	}
	c.Label, c.Briefs = "progress deadline was exceeded", []string{"deadline was exceeded"}
	c.Message += " until " + format.Instant(c.Since) + "; the condition Progressing stays False until " + until
	c.Blocked, c.BlockedAt, c.Since, c.Began = false, time.Time{}, time.Time{}, last
	return c
}

// comeUp is since when the last of the Pods comes up that causes are about, zero where a Pod does
// not, or began to before an instant, and where another cause blocks.
func comeUp(causes []decision.Cause, after time.Time) (last time.Time) {
	for i := range causes {
		c := &causes[i]
		began := known(c.Began, c.Since)
		switch class := Class(c.Class); {
		case !c.Blocked && (class == "" || class == Deletion || c.Replaced):
		case c.Blocked || c.Pod == nil || !Passes(*c) || class != MinReady && !began.After(after):
			return time.Time{}
		case began.After(last):
			last = began
		}
	}
	return last
}
