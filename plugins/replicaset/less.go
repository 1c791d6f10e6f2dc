package replicaset

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ranking"
)

// Comparison compares two Pods of a list as the ranking does, by their indexes: an
// oracle holds it to upstream's, pair by pair.
type Comparison struct {
	comparator
	items []traits
}

// Compared is upstream's comparator over some Pods at now. peers holds each Pod's
// number of related Pods on its node.
func Compared(p profile.Profile, now time.Time, pods []*corev1.Pod, peers []int) Comparison {
	b := behaviourOf(p, false)
	c := Comparison{comparatorOf(b, now), make([]traits, len(pods))}
	for i, pod := range pods {
		c.items[i] = traitsOf(pod, peers[i], b, now)
	}
	placeUIDs(c.items)
	return c
}

// Less reports whether pods[i] is preferred for deletion over pods[j].
func (c Comparison) Less(i, j int) bool { return c.result(i, j).Sign < 0 }

// Decided is the rule that tells pods[i] from pods[j], empty where they tie.
func (c Comparison) Decided(i, j int) string {
	r := c.result(i, j)
	switch {
	case r.Step < 0:
		return ""
	case r.Inside:
		return c.criteria[r.Step].insideID
	}
	return c.criteria[r.Step].ID
}

func (c Comparison) result(i, j int) ranking.Result { return c.compare(&c.items[i], &c.items[j]) }
