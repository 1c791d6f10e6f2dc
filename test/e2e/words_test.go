package e2e

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// phrases joins what a sync does, in the order in which it does it.
type phrases []string

func (p *phrases) add(verb string, what ...string) {
	if len(what) > 0 {
		*p = append(*p, verb+" "+enumerate(what))
	}
}

func (p phrases) String() string {
	if len(p) == 0 {
		return "nothing"
	}
	return strings.Join(p, "; ")
}

// enumerate lists a few names and counts many.
func enumerate(names []string) string {
	if len(names) > 6 {
		return fmt.Sprintf("%d pods", len(names))
	}
	return strings.Join(names, ", ")
}

func predictedText(plan *decision.Decision) string {
	names := map[decision.Verb][]string{}
	var possible []string
	for _, a := range plan.Actions {
		if a.Verb == decision.Delete && a.Certainty == decision.Possible {
			possible = append(possible, a.Object.Name)
			continue
		}
		names[a.Verb] = append(names[a.Verb], a.Object.Name)
	}
	var p phrases
	p.add("adopt", names[decision.Adopt]...)
	p.add("release", names[decision.Release]...)
	p.count("create", plan.Summary.Create)
	if mayBeRefused(plan) {
		p = append(p, "or be refused 1")
	}
	p.count("be refused", plannedRefusals(plan))
	p.add("delete", names[decision.Delete]...)
	p.add(fmt.Sprintf("delete %d of", plan.Summary.DeletePossible), possible...)
	p.status(plan)
	return p.String()
}

func (p *phrases) count(verb string, n int) {
	if n > 0 {
		*p = append(*p, fmt.Sprintf("%s %d", verb, n))
	}
}

func (p *phrases) status(plan *decision.Decision) {
	if !plan.Status.Writes {
		return
	}
	var fields []string
	for _, f := range plan.Status.Fields {
		fields = append(fields, shortStatus(f.Field, f.Next)...)
	}
	*p = append(*p, "status "+strings.Join(fields, " "))
}

// shortStatus leaves out what says little in a table.
func shortStatus(field, value string) []string {
	name := strings.TrimSuffix(field, "Replicas")
	if value == "unset" || value == "0" && field != "replicas" || name == "fullyLabeled" || name == "observedGeneration" {
		return nil
	}
	return []string{name + "=" + value}
}

func (o observed) text() string {
	var p phrases
	p.add("adopt", slices.Sorted(maps.Keys(o.adopted))...)
	p.add("release", slices.Sorted(maps.Keys(o.released))...)
	p.count("create", o.created)
	p.count("be refused", o.refused)
	p.add("delete", slices.Sorted(maps.Keys(o.deleted))...)
	if o.status != nil {
		var fields []string
		for _, f := range []string{"replicas", "readyReplicas", "availableReplicas", "terminatingReplicas"} {
			fields = append(fields, shortStatus(f, fieldOf(o.status, f))...)
		}
		p = append(p, "status "+strings.Join(fields, " "))
	}
	return p.String()
}
