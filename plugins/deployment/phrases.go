package deployment

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/wording"
)

// phrases lists what is done to ReplicaSets: scaled ones by name while they
// are few, all else by number.
func phrases(d *decision.Decision) []string {
	var out []string
	add := func(verb string, n int) {
		if n > 0 {
			out = append(out, verb+" "+wording.Plural(n, "ReplicaSet"))
		}
	}
	add("adopt", d.Summary.Adopt)
	add("release", d.Summary.Release)
	add("create", d.Summary.Create)
	if d.Summary.Scale > 3 {
		add("scale", d.Summary.Scale)
	} else {
		out = append(out, scalings(d)...)
	}
	add("delete", d.Summary.Delete())
	if len(out) == 0 && d.Summary.Modify > 0 {
		out = append(out, updates(d))
	}
	return out
}

func scalings(d *decision.Decision) []string {
	var out []string
	for _, a := range d.Actions {
		if a.Verb == decision.Scale {
			out = append(out, fmt.Sprintf("scale %s from %d to %d", a.Object, *a.From, *a.To))
		}
	}
	return out
}

// updates says what else is changed, when that is all.
func updates(d *decision.Decision) string {
	for _, a := range d.Actions {
		if a.Verb == decision.Modify && a.Object.Kind == d.Target.Kind {
			return "change itself: " + a.Message
		}
	}
	return "bring " + wording.Plural(d.Summary.Modify, "ReplicaSet") + " up to date"
}
