package memory

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/controller/util/consistency"
)

// writes is a real consistency store over caches that have read what they are
// told to.
type writes struct {
	store  *consistency.RealConsistencyStore
	caches map[schema.GroupResource]*cache
}

type cache struct{ version string }

func (c *cache) LastStoreSyncResourceVersion() string { return c.version }

// newWrites leaves out daemonsets.apps, a resource without a cache.
func newWrites() writes {
	w := writes{caches: map[schema.GroupResource]*cache{
		{Resource: "pods"}: {}, {Group: "apps", Resource: "replicasets"}: {},
	}}
	getters := map[schema.GroupResource]consistency.LastSyncRVGetter{}
	for resource, c := range w.caches {
		getters[resource] = c
	}
	w.store = consistency.NewConsistencyStore(getters)
	return w
}

// write does a step of the consistency store, if it is one. "-" is an empty
// UID or version.
func (w writes) write(words []string) (seen string, known bool) {
	for i := range words {
		if words[i] == "-" {
			words[i] = ""
		}
	}
	owner := types.NamespacedName{Namespace: "shop", Name: words[1]}
	switch words[0] {
	case "read":
		w.caches[schema.ParseGroupResource(words[1])].version = words[2]
	case "wrote":
		w.store.WroteAt(owner, types.UID(words[2]), schema.ParseGroupResource(words[3]), words[4])
	case "clear":
		w.store.Clear(owner, types.UID(words[2]))
	case "ready":
		if err := w.store.EnsureReady(owner); err != nil {
			seen = err.Error()
		}
	default:
		return "", false
	}
	return seen, true
}
