package pubcontrol

import (
	"encoding/json"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

// The annotations and labels that budgets go by (apis/policy/v1alpha1/
// podunavailablebudget_types.go and apis/apps/pub/pod_unavailable_label.go, v1.9.1).
const (
	operationsAnnotation = "kruise.io/pub-protect-operations"
	unavailablePrefix    = "unavailable-pod.kruise.io/"
)

// MostRecords is MaxUnavailablePodSize: a budget with more records refuses.
const MostRecords = 2000

// Budget is a PodUnavailableBudget as the sync finds it.
type Budget struct {
	Name string
	Ref  decision.Ref
	// Unread: it could not be read, and what it says is not known.
	Unread bool
	// Unsaved is why its count can't be stored.
	Unsaved error
	// Recounted is for how many replicas its status was counted before a what-if
	// changed them, 0 if that is unchanged; Stale: how it will be counted after
	// that is not known.
	Recounted   int
	Stale       bool
	annotations map[string]string
	status      budgetStatus
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

func (b *Budget) records() int { return len(b.status.DisruptedPods) + len(b.status.UnavailablePods) }

// Left returns for how many more pods checkAndDecrement says yes.
//
//go:noinline // it is called at many places
func (b *Budget) Left() int {
	if b.Unread || b.Unsaved != nil {
		return 0
	}
	return max(0, min(int(b.status.UnavailableAllowed), MostRecords+1-b.records()))
}

// The operations that a budget may guard.
const (
	OnUpdate   = "UPDATE"
	onDeletion = "DELETE"
)

// guards mirrors isNeedPubProtection.
func (b *Budget) guards(operation string) bool {
	listed := b.annotations[operationsAnnotation]
	return listed == "" || slices.Contains(strings.Split(listed, ","), operation)
}

func (b *Budget) recorded(pod string) bool {
	_, unavailable := b.status.UnavailablePods[pod]
	_, disrupted := b.status.DisruptedPods[pod]
	return unavailable || disrupted
}

// budgetNamed reads a budget once; nil for one that does not exist.
func (c *Control) budgetNamed(name string) *Budget {
	if b, known := c.byName[name]; known {
		return b
	}
	b := c.readBudget(name)
	c.byName[name] = b
	return b
}

func (c *Control) readBudget(name string) *Budget {
	need := view.Need{
		Kind: view.PodUnavailableBudgets, Namespace: c.set.GetNamespace(), Name: name, Detail: view.Full,
		IfMissing: "whether it refuses updates or deletions, and with one those behind it, is not known",
	}
	obj, found := view.Get[*unstructured.Unstructured](c.r, need)
	if c.r.Err(need) != nil {
		return &Budget{Name: name, Unread: true}
	}
	if !found {
		return nil
	}
	b := &Budget{Name: name, Ref: ownership.RefTo(view.PodUnavailableBudgets, obj), annotations: obj.GetAnnotations()}
	of, ok := countedOf(obj)
	if !ok {
		b.Unread = true
		return b
	}
	b.status = of.status
	c.countAgain(b, of)
	b.Unsaved = c.unsaved(name)
	return b
}

// budgetStatusOf is the status of a budget, unless that does not parse.
func budgetStatusOf(obj *unstructured.Unstructured) (status budgetStatus, ok bool) {
	fields, _, err := unstructured.NestedMap(obj.Object, "status")
	text, failed := json.Marshal(fields)
	ok = err == nil && failed == nil && json.Unmarshal(text, &status) == nil
	return status, ok
}

// Facts is the arithmetic of a budget in this sync.
func (b *Budget) Facts(taken int) []decision.Fact {
	at := func(field decision.Key, value any) decision.Fact {
		return decision.At(field, value, b.Ref.String()+" status."+string(field))
	}
	return []decision.Fact{
		decision.F(rules.KeyBudget, b.Name),
		at(rules.KeyUnavailableAllowed, b.status.UnavailableAllowed),
		at(rules.KeyCurrentAvailable, b.status.CurrentAvailable), at(rules.KeyDesiredAvailable, b.status.DesiredAvailable),
		at(rules.KeyUnavailablePods, len(b.status.UnavailablePods)), at(rules.KeyDisruptedPods, len(b.status.DisruptedPods)),
		decision.F(rules.KeyTaken, taken),
	}
}

// Overfull reports whether a budget that allows more refuses, because its records are full.
func (b *Budget) Overfull() bool { return int(b.status.UnavailableAllowed) > b.Left() }

// Refusal returns the budget as one that refuses, a deletion or an update.
func (b *Budget) Refusal(deletion bool) decision.Refusal {
	return decision.Refusal{Budget: b.Name, Available: int(b.status.CurrentAvailable), Desired: int(b.status.DesiredAvailable), Deletions: deletion}
}
