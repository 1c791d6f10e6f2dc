package orphans

import (
	"fmt"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

const decidedAgain = "the decision of the controller's plugin; see explain"

// thenRules say what a controller does once it has gained or lost objects.
var thenRules = decision.Catalogue{
	{
		ID: ThenDeletes, Title: "After the claim the controller has too many", Source: decidedAgain,
		Text: "The same sync that adopts counts what it then has, and deletes what is too many: not always the one it has just adopted.",
		Line: func(fs decision.Facts) string { return has(fs) + " and " + victims(fs) },
	},
	{
		ID: ThenCreates, Title: "After the claim the controller has too few", Source: decidedAgain,
		Text: "The same sync that releases counts what is left, and creates what is missing.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s and creates %d", has(fs), fs.Int(keyCreate))
		},
	},
	{
		ID: ThenInStep, Title: "After the claim the controller has nothing to do", Source: decidedAgain,
		Text: "With what it adopts and without what it releases, the controller has as many as it wants.",
		Line: has,
	},
	{
		ID: ThenWaits, Title: "After the claim the controller is not stable and blocked", Source: decidedAgain,
		Text: "The controller has more or fewer than it wants and does nothing about it in this sync; explain says why.",
		Line: func(fs decision.Facts) string { return has(fs) + " and is blocked" },
	},
	{
		ID: ThenActs, Title: "After the claim the controller takes its next step", Source: decidedAgain,
		Text: "What the controller's next sync does with what it then has, in the words of its own answer.",
		Line: func(fs decision.Facts) string { return strings.TrimSuffix("then "+fs.Str(keyAnswer), ".") },
	},
}

// has says how many Pods there are then: not all of them where another controller may adopt
// some first.
func has(fs decision.Facts) string {
	most := ""
	if fs.Str(keyContested) == "true" {
		most = "at most "
	}
	return fmt.Sprintf("then has %s%d of %d", most, fs.Int(decision.KeyActive), fs.Int(decision.KeySpecReplicas))
}

// victims says which Pods are deleted. Possible ones that number as many as are
// deleted are those that depend on an adoption.
func victims(fs decision.Facts) string {
	var parts []string
	if certain := fs.Str(keyCertain); certain != "" {
		parts = append(parts, "deletes "+certain)
	}
	switch k, n := fs.Int(keyDeletePossible), fs.Int(keyAmong); {
	case k > 0 && k == n:
		parts = append(parts, "may delete "+fs.Str(keyPossible))
	case k > 0:
		most := ""
		if fs.Str(keyAtMost) == "true" {
			most = "at most "
		}
		parts = append(parts, fmt.Sprintf("deletes %s%d of %d: %s", most, k, n, fs.Str(keyPossible)))
	}
	return strings.Join(parts, " and ")
}

// overlapRules say how selectors meet.
var overlapRules = decision.Catalogue{
	{
		ID: SelectsOthers, Title: "A selector matches what another controller makes", Source: "this tool",
		Text: "The labels that one controller gives to its Pods (or ReplicaSets) match the selector of another. Owner references keep them apart, but an object that loses its reference, as with --cascade=orphan, may be adopted by the wrong one.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s makes what %s selects as well: %s; what loses its ownerReference may be adopted by the other one", fs.Str(keyA), fs.Str(keyB), fs.Str(keyWitness))
		},
	},
	{
		ID: ManySelect, Title: "Many selectors match what one controller makes", Source: "this tool",
		Text: "The labels that one controller gives to its Pods (or ReplicaSets) match the selectors of many. They are listed together instead of pair by pair. Owner references keep them apart, but any of them may adopt an object that loses its reference.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%d controllers select what %s makes: %s: %s", fs.Int(decision.KeyN), fs.Str(keyMaker), fs.Str(keyWitness), fs.Str(keyControllers))
		},
	},
	{
		ID: CouldMeet, Title: "Two selectors can match the same object", Source: "this tool",
		Text: "No controller makes such an object, but one with these labels would match both selectors.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s and %s would both match %s", fs.Str(keyA), fs.Str(keyB), fs.Str(keyWitness))
		},
	},
}
