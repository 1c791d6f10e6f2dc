package clusterdsl

import (
	"fmt"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// Requests lists what a sync sends, each with the number by which an action names
// it, "-" for none, and that of the request that it goes with.
func Requests(actions []decision.Action, writes []cluster.Write) string {
	named := map[int]bool{}
	for _, a := range actions {
		named[a.Write] = true
	}
	out := make([]string, len(writes))
	for i, w := range writes {
		by := "-"
		if named[i+1] {
			by = fmt.Sprint(i + 1)
		}
		kind := w.Kind.Kind
		if w.Status {
			kind += "/status"
		}
		out[i] = fmt.Sprintf("%s %s %s %s", by, w.Verb, kind, w.Name)
		if w.With > 0 {
			out[i] += fmt.Sprintf(" with %d", w.With)
		}
	}
	return strings.Join(out, "; ")
}
