package replicaset

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
)

// Less is upstream's comparator as the ranking uses it: whether pods[i] is
// preferred for deletion over pods[j] at now. peers holds each pod's number of
// related pods on its node. An oracle compares it with upstream's, pair by pair.
func Less(p profile.Profile, now time.Time, pods []*corev1.Pod, peers []int) func(i, j int) bool {
	b := behaviourOf(p, false)
	c := comparatorOf(b, now)
	items := make([]traits, len(pods))
	for i, pod := range pods {
		items[i] = traitsOf(pod, peers[i], b, now)
	}
	return func(i, j int) bool { return c.compare(&items[i], &items[j]).Sign < 0 }
}
