package sequence_test

import (
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/sequence"
)

func act(v decision.Verb, name string) sequence.Act { return sequence.Act{Verb: v, Name: name} }

func action(v decision.Verb, name string, chance bool) decision.Action {
	a := decision.Action{Verb: v, Object: decision.Ref{Kind: "Pod", Name: name}}
	if chance {
		a.Choice = &decision.Choice{K: 1, N: 2}
	}
	return a
}

var line = &decision.Timeline{Rounds: []decision.Round{
	{Number: 1, Actions: []decision.Action{action(decision.Delete, "a", false), action(decision.Delete, "b", true)}},
	{Number: 0, Actions: []decision.Action{action(decision.SetState, "c", false)}},
	{Number: 2, Actions: []decision.Action{action(decision.Create, "web-<new 1>", false), action(decision.Create, "web-<new 2>", false)}},
}}

func TestCompare(t *testing.T) {
	creations := []sequence.Act{act(decision.Create, ""), act(decision.Create, "")}
	for name, c := range map[string]struct {
		did  []sequence.Act
		same bool
	}{
		"as predicted":          {append([]sequence.Act{act(decision.Delete, "a"), act(decision.Delete, "b")}, creations...), true},
		"in another order":      {append([]sequence.Act{act(decision.Delete, "b"), act(decision.Delete, "a")}, creations...), true},
		"another pod by chance": {append([]sequence.Act{act(decision.Delete, "z"), act(decision.Delete, "a")}, creations...), true},
		"another pod":           {append([]sequence.Act{act(decision.Delete, "b"), act(decision.Delete, "z")}, creations...), false},
		"the rounds swapped":    {append(creations[:2:2], act(decision.Delete, "a"), act(decision.Delete, "b")), false},
		"one too few":           {append([]sequence.Act{act(decision.Delete, "a"), act(decision.Delete, "b")}, creations[0]), false},
		"one too many":          {append([]sequence.Act{act(decision.Delete, "a"), act(decision.Delete, "b"), act(decision.Create, "")}, creations...), false},
		"nothing":               {nil, false},
	} {
		rounds := sequence.Rounds(line, decision.Create, decision.Delete)
		if err := sequence.Compare(rounds, c.did); (err == nil) != c.same {
			t.Errorf("%s: %v", name, err)
		}
	}
}
