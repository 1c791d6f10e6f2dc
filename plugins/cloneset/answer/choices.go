package answer

import (
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// deed is a verb in the first line, with what follows the pods.
type deed struct{ verb, how string }

var deeds = map[decision.Verb]deed{
	decision.Delete: {"delete", ""}, decision.Recreate: {"recreate", ""},
	decision.UpdateInPlace: {"update", " in place"}, decision.SetState: {"move", ""},
}

// eithers are the choices whose pods get different actions, in words, and how
// many pods of them are counted under a verb.
func eithers(d *decision.Decision) (counted map[decision.Verb]int, phrases []string) {
	counted = map[decision.Verb]int{}
	for _, c := range d.Choices() {
		if c.Pool.Kind != view.Pods.Kind || len(c.Verbs) < 2 {
			continue
		}
		first := c.Gravest()
		counted[first] += c.K
		phrase := deeds[first].verb + fewer(c.AtMost) + " " + format.Plural(c.K, "Pod") + deeds[first].how
		for _, v := range []decision.Verb{decision.Recreate, decision.UpdateInPlace, decision.SetState} {
			of := deeds[v]
			if v == decision.SetState {
				of.how = toState + stateBefore(first)
			}
			if v != first && slices.Contains(c.Verbs, v) {
				phrase += " or " + of.verb + " " + them(c.K) + of.how
			}
		}
		phrases = append(phrases, phrase)
	}
	return counted, phrases
}

// stateBefore is the state in which a hook makes a pod wait before the verb.
func stateBefore(verb decision.Verb) string {
	if verb == decision.Delete {
		return kruise.PreparingDelete
	}
	return kruise.PreparingUpdate
}

func them(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

// unlessFewer says that chance decides how many pods get an action.
func unlessFewer(d *decision.Decision, verb decision.Verb) string {
	for _, c := range d.Choices() {
		if c.AtMost && c.Pool.Kind == view.Pods.Kind && len(c.Verbs) == 1 && c.Verbs[0] == verb {
			return fewer(true)
		}
	}
	return ""
}

func fewer(possible bool) string {
	if possible {
		return " at most"
	}
	return ""
}
