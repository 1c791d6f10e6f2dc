package inference

import (
	"cmp"
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// NewReport puts what is inferred beside what is computed. d has the caveats of
// both.
func NewReport(d *decision.Decision, i *Inferred) *Report {
	r := &Report{
		Partial: d.Partial,
		Target:  d.Target, AsOf: d.AsOf, Modelled: d.Modelled, Inferred: i, Caveats: d.Caveats,
		Computed: Computed{Next: d.Answer, Pending: d.Pending, Gate: d.Gate, Expectations: d.Expectations},
	}
	r.Answer = i.answer(d)
	if r.Partial {
		r.Answer += decision.PartialAnswer
	}
	return r
}

// Timeout is for how long writes count that were not seen, such as "5m at most"; empty where
// nothing ends that but what is expected.
func (o *Inferred) Timeout() string {
	if o.Then.Rule == ThenWaits || o.Then.Rule == ThenDropped {
		return "5m at most"
	}
	return ""
}

// answer is the first line.
func (o *Inferred) answer(d *decision.Decision) string {
	switch o.Verdict { //exhaustive:enforce
	case NotApplicable:
		return fmt.Sprintf("%s is %s.", d.Target, o.Message)
	case NoActiveLeader:
		return fmt.Sprintf("%s: %s; the next one starts with no expectations.", d.Target, o.Message)
	case Expired:
		return fmt.Sprintf("%s no longer waits: %s.", d.Target, o.Message)
	case Satisfied:
		return fmt.Sprintf("%s waits for nothing: %s.", d.Target, o.Message)
	case PossiblyPending:
	}
	if o.Rule != WritesPossiblyPending {
		return fmt.Sprintf("%s may wait: %s.", d.Target, o.Message)
	}
	until := cmp.Or(o.Timeout(), "no timeout")
	if o.Expires != nil {
		until = fmt.Sprintf("until %s at the latest (in %s), then it proceeds", stamp(*o.Expires), brief(o.Expires.Sub(d.AsOf)))
	}
	return fmt.Sprintf("%s may wait to see up to %s, made %s ago; %s.", d.Target, outstanding(o.Facts), span(o.Facts.Str(keyOldest), o.Facts.Str(keyNewest)), until)
}
