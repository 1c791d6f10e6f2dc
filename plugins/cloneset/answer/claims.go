package answer

import (
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// ClaimsDeleted is how many volume claims are deleted, at least and at most:
// those of pods of which chance picks K of N depend on which they are.
func ClaimsDeleted(d *decision.Decision) (least, most int) {
	ofPods := map[string]map[string]int{} // by choice and pod
	for i := range d.Actions {
		a := &d.Actions[i]
		if a.Object.Kind != view.PersistentVolumeClaims.Kind || a.Verb != decision.Delete {
			continue
		}
		pool, shared := a.Pool()
		switch {
		case !shared:
			least, most = least+1, most+1
		case ofPods[pool.Of] == nil:
			ofPods[pool.Of] = map[string]int{a.With: 1}
		default:
			ofPods[pool.Of][a.With]++
		}
	}
	for _, c := range d.Choices() {
		if c.Pool.Kind == view.Pods.Kind {
			low, high := claimsOf(ofPods[c.Of], c)
			least, most = least+low, most+high
		}
	}
	return least, most
}

// claimsOf is how many claims the chosen pods have, at least and at most.
func claimsOf(pods map[string]int, c decision.OpenChoice) (least, most int) {
	all := make([]int, max(0, c.N-len(pods)), c.N) // some have none
	for _, n := range pods {
		all = append(all, n)
	}
	slices.Sort(all)
	for i := range min(c.K, len(all)) {
		least, most = least+all[i], most+all[len(all)-1-i]
	}
	if c.AtMost {
		least = 0
	}
	return least, most
}
