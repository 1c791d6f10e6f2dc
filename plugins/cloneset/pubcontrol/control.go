package pubcontrol

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/inplace"
)

// Control asks the budgets of a set's namespace about its Pods, and reads each once.
type Control struct {
	r   *view.Reader
	set *api.Set
	// compares: a Pod that does not run what its spec says passes unasked, as done tells.
	compares bool
	done     inplace.Records
	// deletions: Kruise's webhook asks before a deletion.
	deletions, updates bool
	// unsaved is the API server's answer to a write of a budget's status.
	unsaved func(budget string) error
	// byName are those that were asked for; nil for those that do not exist.
	byName map[string]*Budget
}

// New returns a Control that has asked no budget yet.
func New(r *view.Reader, set *api.Set, b core.Behaviour, done inplace.Records, unsaved func(budget string) error) *Control {
	return &Control{
		r: r, set: set, compares: b.BudgetsCompare, done: done, deletions: b.DeletionBudgets, updates: b.Budgets,
		unsaved: unsaved, byName: map[string]*Budget{},
	}
}

// Ask is what one pod's update asks of a budget.
type Ask struct {
	// Of is nil for a Pod that passes unasked, and Why says by which clause.
	Of  *Budget
	Why decision.Ruling
	// Unsure: whether it passes unasked is not known.
	Unsure bool
}

// Asks mirrors PodUnavailableBudgetValidatePod, up to the count (pkg/control/
// pubcontrol/pub_control_utils.go, v1.9.1).
func (c *Control) Asks(m *core.PodState, operation string) Ask {
	if admission.Waived(m.Pod) {
		return Ask{Why: decision.Ruled(rules.BudgetWaived)}
	}
	if by := notInService(m); by != "" {
		return Ask{Why: decision.Ruled(rules.BudgetUnready, decision.F(rules.KeyBy, by))}
	}
	consistent, unknown := c.consistent(m.Pod)
	if !consistent && unknown == "" {
		return Ask{Why: decision.Ruled(rules.BudgetInconsistent)}
	}
	name := admission.Budget(m.Pod)
	if name == "" {
		return Ask{Why: decision.Ruled(rules.BudgetNone)}
	}
	b := c.budgetNamed(name)
	fact := decision.F(rules.KeyBudget, name)
	switch {
	case b == nil:
		return Ask{Why: decision.Ruled(rules.BudgetGone, fact)}
	case b.Unread:
	case b.status.DesiredAvailable == 0:
		return Ask{Why: decision.Ruled(rules.BudgetWantsNone, fact)}
	case !b.guards(operation):
		return Ask{Why: decision.Ruled(rules.BudgetGuardsOthers, fact,
			decision.At(rules.KeyOperations, b.annotations[operationsAnnotation], b.Ref.String()+" metadata.annotations["+operationsAnnotation+"]"))}
	case b.recorded(m.Ref.Name):
		return Ask{Why: decision.Ruled(rules.BudgetRecorded, fact)}
	}
	return Ask{Of: b, Unsure: unknown != ""}
}

// notInService says what makes IsPodReady false: such a pod is unavailable
// already.
func notInService(m *core.PodState) string {
	switch {
	case m.Pod.Status.Phase != corev1.PodRunning:
		return "phase " + string(m.Pod.Status.Phase)
	case !m.PodReady:
		return "condition Ready"
	}
	for _, key := range slices.Sorted(maps.Keys(m.Pod.Labels)) {
		if strings.HasPrefix(key, unavailablePrefix) {
			return "label " + key
		}
	}
	return ""
}

// AsksDeletion is what the deletion of a Pod that no hook holds asks of a budget.
func (c *Control) AsksDeletion(m *core.PodState) Ask {
	if !c.deletions {
		return Ask{}
	}
	return c.Asks(m, onDeletion)
}

// Guard returns the budget that is asked before a pod's deletion, nil for none;
// unsure tells that whether it is, or what it says, is not known.
func (c *Control) Guard(m *core.PodState) (b *Budget, unsure bool) {
	if _, held := c.set.DeleteHook().Holding(m.Pod); held {
		return nil, false
	}
	switch a := c.AsksDeletion(m); {
	case a.Of == nil, a.Of.Unread: // of one that was not read, a caveat tells
		return nil, false
	default:
		return a.Of, a.Unsure || a.Of.Stale
	}
}

// AnyGuarded reports whether budgets may be asked about the deletion of any of the Pods.
func (c *Control) AnyGuarded(pods []*core.PodState) bool {
	return c.deletions && slices.ContainsFunc(pods, func(m *core.PodState) bool { return admission.Budget(m.Pod) != "" })
}

// Recounted returns the budgets that are counted again for a what-if, by name.
func (c *Control) Recounted() []*Budget {
	var all []*Budget
	for _, name := range slices.Sorted(maps.Keys(c.byName)) {
		if b := c.byName[name]; b != nil && b.Recounted > 0 {
			all = append(all, b)
		}
	}
	return all
}
