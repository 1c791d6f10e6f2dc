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
	// they are too large to be predicted.
	Groups  int `json:"groups"`
	Varied  int `json:"varied"`
	Leaning int `json:"leaning"`
	Steady  int `json:"steady"`
}

// leans reports whether the plugin says that it can't predict the group: it mixes
// owned and adopted pods, or contradicts itself, and is of more pods than are
// sorted by insertion.
func leans(d *decision.Decision) bool {
	return d.Ranking.Undetermined.Facts.Str("exact") == "false"
}
