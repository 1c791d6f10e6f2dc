package order

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// Why returns what tells the Pod at a place from the one before it, of the first place
// from the one behind it; nil for a Pod that is alone.
func (s Sorter) Why(q *Queue, place int) *decision.Ruling {
	if len(q.Places) < 2 {
		return nil
	}
	m, other := q.Places[place], q.Places[max(place-1, 0)]
	if place == 0 {
		other = q.Places[1]
	}
	r := s.why(m, other)
	r.Facts = append(r.Facts, decision.F(decision.KeyVersus, other.Ref.Name))
	return &r
}

// why goes by the steps of SortUpdateIndexes, the last first: each keeps the order of
// those before it where it finds two Pods alike.
func (s Sorter) why(m, other *core.PodState) decision.Ruling {
	if m.Class == other.Class {
		return decision.Ruled(rules.UpdateTied)
	}
	if (m.State == kruise.PreparingUpdate) != (other.State == kruise.PreparingUpdate) {
		return differs(rules.UpdatePreparing, "state", m.State, other.State)
	}
	strategy := &s.set.Spec.UpdateStrategy
	if mine, theirs := matched(strategy.ScatterStrategy, m), matched(strategy.ScatterStrategy, other); mine != theirs {
		return differs(rules.UpdateScattered, "scatterStrategy", mine, theirs)
	}
	if p := strategy.PriorityStrategy; p != nil && priorityOf(p, m.Pod.Labels) != priorityOf(p, other.Pod.Labels) {
		return differs(rules.UpdatePriority, "priority", priorityText(p, m.Pod.Labels), priorityText(p, other.Pod.Labels))
	}
	a, b := s.TraitsOf(m), s.TraitsOf(other)
	for _, c := range s.updateCriteria() {
		if c.Bucket(&a) != c.Bucket(&b) {
			mine, theirs := c.Values(&a, &b)
			return differs(rules.UpdateOrder, strings.ToLower(c.Column), mine, theirs)
		}
	}
	return decision.Ruled(rules.UpdateTied)
}

func differs(rule, by, mine, theirs string) decision.Ruling {
	return decision.Ruled(rule, decision.F(rules.KeyBy, by), decision.F(decision.KeyValue, format.OrDash(mine)), decision.F(decision.KeyOther, format.OrDash(theirs)))
}

// matched are the terms of a scattering that a Pod matches.
func matched(terms []api.ScatterTerm, m *core.PodState) string {
	var all []string
	for _, t := range terms {
		if m.Pod.Labels[t.Key] == t.Value {
			all = append(all, t.Key+"="+t.Value)
		}
	}
	return strings.Join(all, ",")
}

// priorityText is the priority that labels give a Pod.
func priorityText(p *api.PriorityStrategy, l labels.Set) string {
	if len(p.WeightPriority) > 0 {
		return fmt.Sprintf("weight %d", -priorityOf(p, l)[0])
	}
	i := slices.IndexFunc(p.OrderPriority, func(o api.OrderTerm) bool { return l.Has(o.OrderedKey) })
	if i < 0 {
		return "none of the ordered keys"
	}
	key := p.OrderPriority[i].OrderedKey
	return fmt.Sprintf("ordered key %s=%s", key, l[key])
}
