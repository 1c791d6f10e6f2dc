package oracle

import (
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
)

// outcomes are the choices that upstream was seen to make in one state, among
// the pods whose deletion the plugin calls possible.
func outcomes(d *decision.Decision, runs []contract.Run) map[string]bool {
	_, possible := victims(d)
	seen := map[string]bool{}
	for _, run := range runs {
		chosen := slices.DeleteFunc(slices.Clone(run.Deletes), func(key string) bool { return !slices.Contains(possible, key) })
		seen[strings.Join(chosen, " ")] = true
	}
	return seen
}

// Chance counts, for one rule, the groups that the plugin calls undetermined.
type Chance struct {
	// Groups were met, Varied came out in more than one way over the orders
	// tried, Steady did not and should have, Leaning did not and need not:
	// they mix owned and adopted pods where lists hold the owned ones first.
	Groups  int `json:"groups"`
	Varied  int `json:"varied"`
	Leaning int `json:"leaning"`
	Steady  int `json:"steady"`
}

// isMixed tells whether the at-risk group holds owned and adopted pods.
func isMixed(d *decision.Decision) bool {
	holds := map[string]decision.Hold{}
	for _, c := range d.Claims {
		holds[c.Object.Namespace+"/"+c.Object.Name] = c.Hold
	}
	_, possible := victims(d)
	return slices.ContainsFunc(possible, func(key string) bool { return holds[key] != holds[possible[0]] })
}
