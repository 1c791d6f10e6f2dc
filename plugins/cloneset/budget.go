package cloneset

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/guard"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

// The annotations and labels that budgets go by (apis/policy/v1alpha1/
// podunavailablebudget_types.go and apis/apps/pub/pod_unavailable_label.go, v1.9.1).
const (
	operationsAnnotation = "kruise.io/pub-protect-operations"
	unavailablePrefix    = "unavailable-pod.kruise.io/"
)

// mostRecords is MaxUnavailablePodSize: a budget with more records refuses.
const mostRecords = 2000

// budget is a PodUnavailableBudget as the sync finds it.
type budget struct {
	name string
	ref  decision.Ref
	// unread: it could not be read, and what it says is not known.
	unread bool
	// unsaved is why its count can't be stored.
	unsaved error
	// recounted is for how many replicas its status was counted before a what-if
	// changed them, 0 if that is unchanged; stale: how it will be counted after
	// that is not known.
	recounted   int
	stale       bool
	annotations map[string]string
	status      budgetStatus
}

// askedBudgets are the PodUnavailableBudgets that the sync asks, and what they say.
type askedBudgets struct {
	// byName are those that were asked for; nil for those that do not exist.
	byName map[string]*budget
	// refusing is the one that stops the update, empty for none.
	refusing string
	// mayRefuse: whether one stops the update is not deterministic, or not known.
	mayRefuse bool
	// forbidding is the one that stops deletions, nil for none.
	forbidding *budget
	// mayForbid is one of which that is not deterministic, or not known, nil for none.
	mayForbid *budget
}

// budgetStatus is what is counted of a budget's pods.
type budgetStatus struct {
	ObservedGeneration int64  `json:"observedGeneration"`
	DisruptedPods      stamps `json:"disruptedPods,omitempty"`
	UnavailablePods    stamps `json:"unavailablePods,omitempty"`
	UnavailableAllowed int32  `json:"unavailableAllowed"`
	CurrentAvailable   int32  `json:"currentAvailable"`
	DesiredAvailable   int32  `json:"desiredAvailable"`
	TotalReplicas      int32  `json:"totalReplicas"`
}

func (b *budget) records() int { return len(b.status.DisruptedPods) + len(b.status.UnavailablePods) }

// left is for how many more pods checkAndDecrement says yes.
func (b *budget) left() int {
	if b.unread || b.unsaved != nil {
		return 0
	}
	return max(0, min(int(b.status.UnavailableAllowed), mostRecords+1-b.records()))
}

// The operations that a budget may guard.
const (
	onUpdate   = "UPDATE"
	onDeletion = "DELETE"
)

// guards mirrors isNeedPubProtection.
func (b *budget) guards(operation string) bool {
	listed := b.annotations[operationsAnnotation]
	return listed == "" || slices.Contains(strings.Split(listed, ","), operation)
}

func (b *budget) recorded(pod string) bool {
	_, unavailable := b.status.UnavailablePods[pod]
	_, disrupted := b.status.DisruptedPods[pod]
	return unavailable || disrupted
}

// budgetNamed reads a budget once; nil for one that does not exist.
func (s *sync) budgetNamed(name string) *budget {
	if b, known := s.budgets.byName[name]; known {
		return b
	}
	if s.budgets.byName == nil {
		s.budgets.byName = map[string]*budget{}
	}
	b := s.readBudget(name)
	s.budgets.byName[name] = b
	return b
}

func (s *sync) readBudget(name string) *budget {
	need := view.Need{
		Kind: view.PodUnavailableBudgets, Namespace: s.set.GetNamespace(), Name: name, Detail: view.Full,
		Without: "whether it refuses updates or deletions, and with one those behind it, is not known",
	}
	obj, found := view.Get[*unstructured.Unstructured](s.r, need)
	if s.r.Err(need) != nil {
		return &budget{name: name, unread: true}
	}
	if !found {
		return nil
	}
	b := &budget{name: name, ref: ownership.RefTo(view.PodUnavailableBudgets, obj), annotations: obj.GetAnnotations()}
	of, ok := countedOf(obj)
	if !ok {
		b.unread = true
		return b
	}
	b.status = of.status
	s.countAgain(b, of)
	b.unsaved = s.refused(Call{Verb: "update", Kind: view.PodUnavailableBudgets.Kind, Subresource: "status", Name: name, Retried: true})
	return b
}

// budgetStatusOf is the status of a budget, unless that does not parse.
func budgetStatusOf(obj *unstructured.Unstructured) (status budgetStatus, ok bool) {
	fields, _, err := unstructured.NestedMap(obj.Object, "status")
	text, failed := json.Marshal(fields)
	ok = err == nil && failed == nil && json.Unmarshal(text, &status) == nil
	return status, ok
}

// ask is what one pod's update asks of a budget.
type ask struct {
	// of is nil for a pod that passes unasked, and why says by which clause.
	of  *budget
	why decision.Ruling
	// unsure: whether it passes unasked is not known.
	unsure bool
}

// asks mirrors PodUnavailableBudgetValidatePod, up to the count (pkg/control/
// pubcontrol/pub_control_utils.go, v1.9.1).
func (s *sync) asks(m *core.PodState, operation string) ask {
	if guard.Waived(m) {
		return ask{why: decision.Ruled(rules.BudgetWaived)}
	}
	if by := notInService(m); by != "" {
		return ask{why: decision.Ruled(rules.BudgetUnready, decision.F("by", by))}
	}
	consistent, unknown := s.consistent(m.Pod)
	if !consistent && unknown == "" {
		return ask{why: decision.Ruled(rules.BudgetInconsistent)}
	}
	name := guard.Budget(m)
	if name == "" {
		return ask{why: decision.Ruled(rules.BudgetNone)}
	}
	b := s.budgetNamed(name)
	fact := decision.F("budget", name)
	switch {
	case b == nil:
		return ask{why: decision.Ruled(rules.BudgetGone, fact)}
	case b.unread:
	case b.status.DesiredAvailable == 0:
		return ask{why: decision.Ruled(rules.BudgetWantsNone, fact)}
	case !b.guards(operation):
		return ask{why: decision.Ruled(rules.BudgetGuardsOthers, fact,
			decision.At("operations", b.annotations[operationsAnnotation], b.ref.String()+" metadata.annotations["+operationsAnnotation+"]"))}
	case b.recorded(m.Name):
		return ask{why: decision.Ruled(rules.BudgetRecorded, fact)}
	}
	return ask{of: b, unsure: unknown != ""}
}

// notInService says what makes IsPodReady false: such a pod is unavailable
// already.
func notInService(m *core.PodState) string {
	switch {
	case m.Status.Phase != corev1.PodRunning:
		return "phase " + string(m.Status.Phase)
	case !m.PodReady:
		return "condition Ready"
	}
	for _, key := range slices.Sorted(maps.Keys(m.Labels)) {
		if strings.HasPrefix(key, unavailablePrefix) {
			return "label " + key
		}
	}
	return ""
}
