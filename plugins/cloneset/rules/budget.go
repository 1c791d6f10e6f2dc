package rules

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// The rules of PodUnavailableBudgets, which updates ask with gate
// PodUnavailableBudgetUpdateGate.
const (
	BudgetWaived       = "BudgetWaived"
	BudgetUnready      = "BudgetUnready"
	BudgetInconsistent = "BudgetInconsistent"
	BudgetNone         = "BudgetNone"
	BudgetGone         = "BudgetGone"
	BudgetWantsNone    = "BudgetWantsNone"
	BudgetGuardsOthers = "BudgetGuardsOthers"
	BudgetRecorded     = "BudgetRecorded"
	BudgetTaken        = "BudgetTaken"
	BudgetUnread       = "BudgetUnread"

	BudgetCounts      = "BudgetCounts"
	BudgetExhausted   = "BudgetExhausted"
	BudgetOverfull    = "BudgetOverfull"
	BudgetUnsaved     = "BudgetUnsaved"
	BudgetAhead       = "BudgetAhead"
	BudgetCheck       = "BudgetCheck"
	BudgetForbids     = "BudgetForbids"
	BudgetKeepsMarked = "BudgetKeepsMarked"
	BudgetLetsSome    = "BudgetLetsSome"
)

const (
	budgetFunc   = "pkg/control/pubcontrol/pub_control_utils.go PodUnavailableBudgetValidatePod (Kruise v1.9.1)"
	budgetCount  = "pkg/control/pubcontrol/pub_control_utils.go checkAndDecrement (Kruise v1.9.1)"
	webhookFunc  = "pkg/webhook/pod/validating/pod_unavailable_budget.go podUnavailableBudgetValidatingPod (Kruise v1.9.1)"
	deleteGate   = "gate PodUnavailableBudgetDeleteGate"
	budgetGate   = "gate PodUnavailableBudgetUpdateGate"
	budgetGoesOn = " The update continues with the next Pod."
)

var budgetRules = decision.Catalogue{
	passes(BudgetWaived, "A Pod waives its budget", "The annotation pub.kruise.io/no-protect is true.",
		says("no budget asked: annotation pub.kruise.io/no-protect")),
	passes(BudgetUnready, "A Pod out of service needs no budget", "It is not Running, not Ready, or bears a label below unavailable-pod.kruise.io/: it is unavailable already, and its update costs nothing.",
		func(fs decision.Facts) string { return "no budget asked: out of service already, by " + fs.Str(KeyBy) }, KeyBy),
	passes(BudgetInconsistent, "A Pod in the middle of an update needs no budget", "Its containers do not run what its spec says yet, judged by digests, injected sidecars and the record of its last update in place. Kruise 1.5 does not look at that.",
		says("no budget asked: its containers do not run what its spec says yet")),
	passes(BudgetNone, "A Pod has no budget", "The Pod has no annotation kruise.io/related-pub. Kruise puts it on Pods that a PodUnavailableBudget selects.",
		says("no budget asked: no annotation kruise.io/related-pub")),
	passes(BudgetGone, "A Pod's budget is gone", "No PodUnavailableBudget has the name in the Pod's annotation kruise.io/related-pub.",
		func(fs decision.Facts) string {
			return fmt.Sprintf("no budget asked: PodUnavailableBudget %s does not exist", fs.Str(KeyBudget))
		}, KeyBudget),
	passes(BudgetWantsNone, "A budget that wants no Pod available allows everything", "status.desiredAvailable is 0. It is also 0 before the budget's controller has counted for the first time.",
		func(fs decision.Facts) string {
			return fmt.Sprintf("PodUnavailableBudget %s allows everything: desiredAvailable 0", fs.Str(KeyBudget))
		}, KeyBudget),
	passes(BudgetGuardsOthers, "A budget does not guard updates", "Its annotation kruise.io/pub-protect-operations lists operations, and UPDATE is not among them.",
		func(fs decision.Facts) string {
			return fmt.Sprintf("PodUnavailableBudget %s guards only %s", fs.Str(KeyBudget), fs.Str(KeyOperations))
		}, KeyBudget, KeyOperations),
	passes(BudgetRecorded, "A Pod is on its budget's record already", "It is among status.unavailablePods or status.disruptedPods: the budget has paid for it.",
		func(fs decision.Facts) string {
			return fmt.Sprintf("PodUnavailableBudget %s has paid for it already", fs.Str(KeyBudget))
		}, KeyBudget),
	{
		ID: BudgetTaken, Title: "An update takes one from its budget", Source: budgetCount, Versions: budgetGate,
		Text: "status.unavailableAllowed goes down by one, and the Pod is put on record among status.unavailablePods, before the Pod is updated; also where a hook or an error then keeps the Pod from being updated.",
		Keys: []decision.Key{KeyBudget},
		Line: func(fs decision.Facts) string {
			text := "takes one of PodUnavailableBudget " + fs.Str(KeyBudget)
			if left := fs.Str(KeyLeft); left != "" {
				text += fmt.Sprintf(", %s left", left)
			}
			return text
		},
	},
	{
		ID: BudgetUnread, Title: "A budget was not read", Source: budgetFunc, Versions: budgetGate,
		Text: "The Pod names a PodUnavailableBudget which could not be read. It may refuse this Pod, and with it all behind it.",
		Keys: []decision.Key{KeyBudget},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("what PodUnavailableBudget %s says is not known", fs.Str(KeyBudget))
		},
	},
	{
		ID: BudgetCounts, Title: "What a budget leaves for updates", Source: budgetCount, Versions: budgetGate,
		Text:     "The controller uses what is in the budget's status, which the budget's own controller counts: unavailableAllowed is currentAvailable − desiredAvailable, where Pods on record do not count as available. Each update takes one. What is written here is read, not counted again.",
		Question: func(fs decision.Facts) string { return "BUDGET " + fs.Str(KeyBudget) },
		Keys:     []decision.Key{KeyCurrentAvailable, KeyDesiredAvailable, KeyTaken, KeyUnavailableAllowed},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s; this sync takes %d, %d left", budgetSum(fs), fs.Int(KeyTaken), max(0, fs.Int(KeyUnavailableAllowed)-fs.Int(KeyTaken)))
		},
	},
	{
		ID: BudgetExhausted, Title: "A budget refuses an update, and with it those behind", Source: budgetCount, Versions: budgetGate,
		Text: "status.unavailableAllowed is used up. The sync updates neither this Pod nor any behind it, without an error or an event of the CloneSet, and looks again after a second.",
		Keys: []decision.Key{KeyBudget, KeyCurrentAvailable, KeyDesiredAvailable, KeyDisruptedPods, KeyTaken, KeyUnavailableAllowed, KeyUnavailablePods},
		Line: func(fs decision.Facts) string {
			if fs.Int(KeyTaken) > 0 {
				return fmt.Sprintf("refused by PodUnavailableBudget %s: %s, and this sync has taken %d", fs.Str(KeyBudget), budgetSum(fs), fs.Int(KeyTaken))
			}
			return fmt.Sprintf("refused by PodUnavailableBudget %s: %s%s", fs.Str(KeyBudget), budgetSum(fs), records(fs))
		},
	},
	{
		ID: BudgetOverfull, Title: "A budget with too many records refuses", Source: budgetCount, Versions: budgetGate,
		Text: "With more than 2000 Pods in status.disruptedPods and status.unavailablePods, a budget says no whatever it allows: its controller has not confirmed them.",
		Keys: []decision.Key{KeyBudget, KeyDisruptedPods, KeyLimit, KeyTaken, KeyUnavailablePods},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("refused by PodUnavailableBudget %s: more than %d Pods are on record, %d with those of this sync",
				fs.Str(KeyBudget), fs.Int(KeyLimit), fs.Int(KeyUnavailablePods)+fs.Int(KeyDisruptedPods)+fs.Int(KeyTaken))
		},
	},
	{
		ID: BudgetUnsaved, Title: "A budget that can't be written refuses", Source: budgetFunc, Versions: budgetGate,
		Text: "The count has to be stored before the Pod is updated. If the API server refuses that, the budget says no; a conflict is tried again, four times in all.",
		Keys: []decision.Key{KeyBudget, KeyError},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("refused: PodUnavailableBudget %s can't be written: %s", fs.Str(KeyBudget), fs.Str(KeyError))
		},
	},
	{
		ID: BudgetAhead, Title: "A Pod waits behind one that a budget refuses", Source: updateFunc, Versions: budgetGate,
		Text: "The sync stops at the first Pod that a budget refuses, even if others would not need it.",
		Keys: []decision.Key{KeyBudget},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("behind a Pod that PodUnavailableBudget %s refuses", fs.Str(KeyBudget))
		},
	},
	{
		ID: BudgetCheck, Title: "The CloneSet is looked at again a second after a budget refused", Source: updateFunc, Versions: budgetGate,
		Text: "Budgets are no cause of an event for the CloneSet: it asks again, every second.",
		Keys: []decision.Key{KeyAfter, KeyAt, KeyBudget},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("in %s (%s): asks PodUnavailableBudget %s again", fs.Brief(KeyAfter), fs.Str(KeyAt), fs.Str(KeyBudget))
		},
	},
	{
		ID: BudgetForbids, Title: "A budget without room forbids deletions, and the sync fails", Source: webhookFunc,
		Versions: deleteGate,
		Text:     "The controller does not ask before it deletes a Pod, also one that is to be recreated: Kruise's webhook does, and refuses. The sync ends there with an error, which goes into the condition FailedScale, and is retried with backoff.",
		Keys:     []decision.Key{KeyBudget, KeyCurrentAvailable, KeyDesiredAvailable, KeyDisruptedPods, KeyTaken, KeyUnavailableAllowed, KeyUnavailablePods},
		Line: func(fs decision.Facts) string {
			if n := fs.Int(KeyTaken); n > 0 {
				return fmt.Sprintf("PodUnavailableBudget %s forbids further deletions: %s, and this sync takes %d", fs.Str(KeyBudget), budgetSum(fs), n)
			}
			return fmt.Sprintf("PodUnavailableBudget %s forbids deletions: %s%s", fs.Str(KeyBudget), budgetSum(fs), records(fs))
		},
	},
	{
		ID: BudgetKeepsMarked, Title: "A budget without room keeps the Pods that are marked", Source: webhookFunc,
		Versions: deleteGate,
		Text:     "A Pod that is to be recreated is marked for deletion without asking a budget. A later sync deletes it, and Kruise's webhook refuses that as long as the budget has no room.",
		Keys:     []decision.Key{KeyBudget, KeyCurrentAvailable, KeyDesiredAvailable, KeyDisruptedPods, KeyTaken, KeyUnavailableAllowed, KeyUnavailablePods},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("PodUnavailableBudget %s forbids the deletions that follow: %s%s", fs.Str(KeyBudget), budgetSum(fs), records(fs))
		},
	},
	{
		ID: BudgetLetsSome, Title: "A budget allows some of a scale-in's deletions", Source: webhookFunc, Versions: deleteGate,
		Text: "Pods that the order of the scale-in does not tell apart are deleted until the webhook refuses one; which come before it is not deterministic.",
		Keys: []decision.Key{KeyBudget, decision.KeyK, KeyLoose, decision.KeyN},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s%d of %d that PodUnavailableBudget %s allows; which is not deterministic", atMost(fs), fs.Int(decision.KeyK), fs.Int(decision.KeyN), fs.Str(KeyBudget))
		},
	},
}

// passes is a rule about a pod that is updated without asking its budget.
//
//go:noinline
func passes(id, title, text string, line func(decision.Facts) string, keys ...decision.Key) decision.Rule {
	return decision.Rule{ID: id, Title: title, Source: budgetFunc, Versions: budgetGate, Text: text + budgetGoesOn, Keys: keys, Line: line}
}

// ByBudget are the rules by which a budget refuses, which is no failure.
var ByBudget = map[string]bool{BudgetExhausted: true, BudgetOverfull: true, BudgetUnsaved: true}

// budgetSum is what the budget's status says.
func budgetSum(fs decision.Facts) string {
	return fmt.Sprintf("unavailableAllowed %d (%d available, at least %d desired)", fs.Int(KeyUnavailableAllowed), fs.Int(KeyCurrentAvailable), fs.Int(KeyDesiredAvailable))
}

// records names the pods that the budget has paid for.
func records(fs decision.Facts) string {
	if n := fs.Int(KeyUnavailablePods) + fs.Int(KeyDisruptedPods); n > 0 {
		return fmt.Sprintf("; %s on record as unavailable or disrupted", format.Plural(n, "Pod"))
	}
	return ""
}
