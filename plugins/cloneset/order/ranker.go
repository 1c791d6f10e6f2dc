package order

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ranking"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

// Ranker gives each pod of a group its rank. Where pods tie in the orders that
// ranks are made from, the ranks come out by chance.
type Ranker struct {
	s     Sorter
	items []Traits
	// inner are the steps without rank and availability, ranked those with rank.
	inner, ranked []ranking.Criterion[Traits]
	// tied: some order had ties.
	tied bool
	// topology names, for each pod, where it stands under every constraint.
	topology []string
}

// hostname is the topology key whose order leaves the same-node ranks out.
const hostname = "kubernetes.io/hostname"

// NewRanker returns a Ranker of a group of Pods, which are not ranked yet.
func (s Sorter) NewRanker(items []Traits) *Ranker {
	cs := s.DeletionCriteria(rules.CrowdedNodeFirst, "")
	inner := []Criterion{cs[0], cs[1], cs[3], cs[4], cs[6], cs[7], cs[8]}
	return &Ranker{
		s: s, items: items, topology: make([]string, len(items)),
		inner:  Plain(inner),
		ranked: Plain([]Criterion{cs[0], cs[1], cs[3], cs[4], cs[5], cs[6], cs[7], cs[8]}),
	}
}

// Rank fills the ranks; tied pods get theirs in the order of ties.
func (r *Ranker) Rank(ties []int) {
	if constraints := r.s.topologyKeys(); len(constraints) > 0 {
		r.spread(constraints, ties)
		return
	}
	r.sameNode(ties)
}

// sameNode mirrors NewSameNodeRanker (utils/pod_sorter.go, v1.9.1): of the
// pods on one node the last gets 0, the one before it 1, and so on.
func (r *Ranker) sameNode(ties []int) {
	nodes := map[string][]int{}
	for _, i := range ties {
		r.items[i].rank = 0
		if node := r.items[i].Pod.Spec.NodeName; node != "" {
			nodes[node] = append(nodes[node], i)
			r.topology[i] = node
		}
	}
	for _, on := range nodes {
		r.sort(on, r.inner)
		for i, item := range on {
			r.items[item].rank = float64(len(on) - 1 - i)
		}
	}
}

// spread mirrors NewSpreadConstraintsRanker: for each topology key, pods of a
// fuller topology rank higher, weighted by the number of topologies.
func (r *Ranker) spread(keys []string, ties []int) {
	labels := r.s.nodeLabels()
	r.sameNode(ties)
	total := make([]float64, len(r.items))
	clear(r.topology)
	for _, k := range keys {
		topologies := r.topologies(k, ties, labels)
		weight := math.Log(float64(len(topologies) + 2))
		for _, in := range topologies {
			criteria := r.inner
			if k != hostname {
				criteria = r.ranked
			}
			r.sort(in, criteria)
			for i, item := range in {
				total[item] += float64(len(in)-i) * weight
			}
		}
	}
	for i := range r.items {
		r.items[i].rank = total[i]
	}
}

func (r *Ranker) topologies(key string, ties []int, labels map[string]map[string]string) map[string][]int {
	out := map[string][]int{}
	for _, i := range ties {
		value, ok := labels[r.items[i].Pod.Spec.NodeName][key]
		if ok {
			out[value] = append(out[value], i)
		}
		r.topology[i] += value + "/"
	}
	return out
}

// sort is stable: among ties, what came first stays first.
func (r *Ranker) sort(set []int, criteria []ranking.Criterion[Traits]) {
	slices.SortStableFunc(set, func(a, b int) int {
		return ranking.Compare(criteria, &r.items[a], &r.items[b]).Sign
	})
	for i := 1; i < len(set) && !r.tied; i++ {
		r.tied = ranking.Compare(criteria, &r.items[set[i-1]], &r.items[set[i]]).Sign == 0
	}
}

func (s Sorter) topologyKeys() []string {
	var keys []string
	for _, c := range s.set.Spec.Template.Spec.TopologySpreadConstraints {
		keys = append(keys, c.TopologyKey)
	}
	return keys
}

func (s Sorter) nodeLabels() map[string]map[string]string {
	out := map[string]map[string]string{}
	for _, n := range s.r.Metadata(view.Need{Kind: view.Nodes, IfMissing: "topologies do not affect which Pods are deleted"}) {
		labels := n.GetLabels()
		if labels == nil {
			labels = map[string]string{}
		}
		out[n.GetName()] = labels
	}
	return out
}

// Tied reports whether some order that ranks are made from had ties, so that chance
// makes the ranks.
func (r *Ranker) Tied() bool { return r.tied }

// Spreads reports whether ranks come from topology spread constraints, and not from
// how many Pods share a node.
func (s Sorter) Spreads() bool { return len(s.topologyKeys()) > 0 }

// TwinKey is equal for Pods of which the order looks at nothing that differs.
func (r *Ranker) TwinKey(i int, criteria []Criterion) string {
	t := &r.items[i]
	parts := []string{r.topology[i], fmt.Sprint(t.ordinal, t.Available, t.ReadyNow, t.ReadySince.Unix(), t.Pod.CreationTimestamp.Unix())}
	for _, c := range criteria {
		if c.Column != "ON NODE" && c.Column != "SPREAD" && c.Column != "NODE" && c.Column != "PHASE" {
			parts = append(parts, c.Show(t))
		}
	}
	return strings.Join(parts, "|")
}
