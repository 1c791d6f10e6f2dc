package memory

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/expectations"
)

// kubernetesMemory is what a controller of Kubernetes remembers, as we model it.
type kubernetesMemory struct {
	clock    *clocktesting.FakePassiveClock
	plain    *expectations.Counts
	tracking expectations.UIDTracking
	writes   *expectations.Consistency
	// read is what the caches have read up to; daemonsets.apps has none.
	read map[schema.GroupResource]string
}

func newKubernetes(clock *clocktesting.FakePassiveClock) ours {
	return &kubernetesMemory{
		clock: clock, plain: expectations.NewCounts(clock), tracking: expectations.NewUIDTracking(clock),
		writes: expectations.NewConsistency(), read: map[schema.GroupResource]string{},
	}
}

func (m *kubernetesMemory) take(do string, args []string) []string {
	if seen, known := m.write(do, args); known {
		return seen
	}
	key := args[0]
	m.count(do, key, args[1:])
	return []string{m.show(m.plain, key) + " | " + m.show(m.tracking.Counts, key)}
}

func (m *kubernetesMemory) count(do, key string, args []string) {
	switch do {
	case "deletions":
		pods := strings.Split(args[0], ",")
		m.plain.ExpectDeletions(key, int64(len(pods)))
		m.tracking.ExpectDeletions(key, pods)
		return
	case "deleted":
		m.plain.DeletionObserved(key)
		m.tracking.DeletionObserved(key, args[0])
		return
	}
	var n [2]int64
	for i, a := range args {
		n[i], _ = strconv.ParseInt(a, 10, 64)
	}
	for _, c := range []*expectations.Counts{m.plain, m.tracking.Counts} {
		countBoth(c, do, key, n[0], n[1])
	}
}

func countBoth(c *expectations.Counts, do, key string, adds, dels int64) {
	switch do {
	case "set":
		c.Set(key, adds, dels)
	case "creations":
		c.ExpectCreations(key, adds)
	case "raise":
		c.Raise(key, adds, dels)
	case "lower":
		c.Lower(key, adds, dels)
	case "created":
		c.CreationObserved(key)
	case "forget":
		c.Delete(key)
	}
}

func (m *kubernetesMemory) show(c *expectations.Counts, key string) string {
	r := c.Get(key)
	if r == nil {
		return fmt.Sprint(c.Satisfied(key), " none")
	}
	return fmt.Sprint(c.Satisfied(key), " ", r.Adds, " ", r.Dels, " ", slices.Sorted(maps.Keys(r.Keys)), " ", m.clock.Since(r.Recorded))
}

func (m *kubernetesMemory) write(do string, args []string) (seen []string, known bool) {
	owner := types.NamespacedName{Namespace: "shop", Name: args[0]}
	switch do {
	case "read":
		m.read[schema.ParseGroupResource(args[0])] = args[1]
	case "wrote":
		m.writes.WroteAt(owner, types.UID(args[1]), schema.ParseGroupResource(args[2]), args[3])
	case "clear":
		m.writes.Clear(owner, types.UID(args[1]))
	case "ready":
		for _, stale := range m.writes.Ready(owner, func(r schema.GroupResource) string { return m.read[r] }) {
			seen = append(seen, stale.Error())
		}
	default:
		return nil, false
	}
	if seen == nil {
		seen = []string{""}
	}
	return seen, true
}
