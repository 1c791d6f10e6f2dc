package cloneset

import (
	"fmt"
	"strings"
)

// String shows a mismatch: what differs, what was said, and the request for
// the oracle itself.
func (m Mismatch) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d: %s\n  %s\n", m.Seed, m.Decision.Answer, strings.Join(m.Differences, "\n  "))
	for _, a := range m.Decision.Actions {
		fmt.Fprintf(&b, "said %s %s %v: %s\n", a.Verb, a.Object.Name, a.Choice, a.Message)
	}
	for _, l := range m.Decision.Limits {
		fmt.Fprintf(&b, "limit %s: %s\n", l.Rule, l.Message)
	}
	fmt.Fprintf(&b, "%s\n", show(m.Request))
	return b.String()
}
