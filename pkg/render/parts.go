package render

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"

// What pages have in common with text.

// Object names what an action is done to, creations by number.
func Object(a decision.Action) string { return object(a) }

// Certainty is how sure an action is: certain, or k of n.
func Certainty(a decision.Action) string { return certainty(a) }

// Rankings are the orders of deletion, one after the other.
func Rankings(d *decision.Decision) []*decision.Ranking { return rankings(d) }

// Places are the pods' numbers in the order, or the ranges their blocks span.
func Places(r *decision.Ranking) []string { return places(r) }

// someStay tells that a limit keeps pods that the order chose.
func someStay(r *decision.Ranking) bool {
	going := 0
	if r.Undetermined != nil {
		going = int(r.Undetermined.Facts.Int(decision.KeyK))
	}
	for _, row := range r.Rows {
		if row.Fate == decision.Doomed {
			going++
		}
	}
	return going < r.Cut
}

// Caused says of a cause of a Pod which container it is about, and what it is.
func Caused(c decision.Cause) string {
	if c.Container == "" {
		return c.Message
	}
	return c.Container + ": " + c.Message
}

// DecidedBy is the comparison that put a pod on its side of the cut.
func DecidedBy(row decision.Ranked) string { return decidedBy(row) }

// Source names where evidence was found, with the namespace when it is another.
func Source(src, target decision.Ref) string { return source(src, target) }
