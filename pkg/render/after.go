package render

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// after says where the Pods are that a scale-down keeps for certain.
func (p *page) after() {
	label := "AFTER"
	for _, text := range After(p.d.Stay) {
		p.note(label, text)
		label = ""
	}
}

// After says where the Pods are that a scale-down keeps for certain, that no budget limits
// it, and which zones lose all their Pods.
func After(s *decision.Stay) (lines []string) {
	if s == nil {
		return nil
	}
	lines = []string{clean(stay(s) + "a PodDisruptionBudget does not limit a scale-down")}
	for _, z := range s.Emptied() {
		verb := "loses"
		if z.Possible > 0 {
			verb = "may lose"
		}
		lines = append(lines, clean(fmt.Sprintf("zone %s %s all its Pods (%d), while %s keeps %d", z.Name, verb, z.Before, s.Zones[0].Name, s.Zones[0].Kept)))
	}
	return lines
}

// stay says how many Pods stay, on which nodes, and in which zones: those with the most of
// them first.
func stay(s *decision.Stay) string {
	nodes := held(s.Nodes)
	if s.Pods == 0 || nodes == 0 {
		return ""
	}
	where := some(s.Nodes[:nodes], func(p decision.Place) string {
		if p.Kept == 1 {
			return p.Name
		}
		return fmt.Sprintf("%s (%d)", p.Name, p.Kept)
	})
	keeps := fmt.Sprintf("keeps %d of %s", s.Pods, format.Plural(s.Among, "Pod"))
	if s.Others > 0 {
		keeps = fmt.Sprintf("considers %d of %d Pods for deletion, and keeps %d of the %d", s.Among, s.Among+s.Others, s.Pods, s.Among)
	}
	text := fmt.Sprintf("the scale-down %s for certain, on %s: %s; ", keeps, format.Plural(nodes, "node"), where)
	if len(s.Zones) == 0 {
		return text
	}
	where = some(s.Zones, func(p decision.Place) string { return fmt.Sprintf("%s (%d of %d)", p.Name, p.Kept, p.Before) })
	return text + fmt.Sprintf("in %d of %s: %s; ", held(s.Zones), format.Plural(len(s.Zones), "zone"), where)
}

// held is how many places keep Pods.
func held(all []decision.Place) (n int) {
	for _, p := range all {
		if p.Kept > 0 {
			n++
		}
	}
	return n
}

func some(all []decision.Place, says func(decision.Place) string) string {
	names := make([]string, 0, mostSafe)
	for _, p := range all[:min(len(all), mostSafe)] {
		names = append(names, says(p))
	}
	return format.Some(names, len(all))
}
