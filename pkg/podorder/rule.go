package podorder

import (
	"fmt"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// Alike completes a comparison of two values that print alike, the first one less than the
// other, and more.
type Alike struct{ Less, More string }

// Step completes a rule about one comparison of two Pods. mine phrases the value of a Pod,
// with %v for the value; where there are only two, theirs phrases the other one.
func (a Alike) Step(r decision.Rule, mine, theirs string) decision.Rule {
	if !strings.Contains(mine, "%v") {
		r.Keys = []decision.Key{decision.KeyOp, decision.KeyVersus}
		r.Line = func(fs decision.Facts) string {
			is, than := mine, theirs
			if fs.Str(decision.KeyOp) == ">" {
				is, than = than, is
			}
			return is + "; " + fs.Str(decision.KeyVersus) + " is " + than
		}
		return r
	}
	r.Keys = []decision.Key{decision.KeyOther, decision.KeyValue, decision.KeyVersus}
	r.Line = func(fs decision.Facts) string {
		value, other := fs.Str(decision.KeyValue), fs.Str(decision.KeyOther)
		text := fmt.Sprintf(mine, value) + "; " + fs.Str(decision.KeyVersus)
		switch {
		case value != other:
			return text + ": " + other
		case fs.Str(decision.KeyOp) == "<":
			return text + " a little " + a.Less
		}
		return text + " a little " + a.More
	}
	return r
}
