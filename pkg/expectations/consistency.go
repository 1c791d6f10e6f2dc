package expectations

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/resourceversion"
)

// Cache is what Consistency asks of an informer's store: the resource version
// it has read up to, empty if it does not tell.
type Cache interface {
	LastStoreSyncResourceVersion() string
}

// Consistency keeps, by owner, the newest resource version that the controller
// wrote of each resource, and tells whether its caches have read that far. It
// mirrors RealConsistencyStore (pkg/controller/util/consistency, v1.37.1),
// behind the gate StaleControllerConsistencyReplicaSet since 1.36.
type Consistency struct {
	caches map[schema.GroupResource]Cache

	lock   sync.Mutex
	owners map[types.NamespacedName]*written
}

// written is what was written for the owner with this UID.
type written struct {
	uid      types.UID
	versions map[schema.GroupResource]string
}

// Stale says that a cache has not read as far as a write.
type Stale struct {
	Resource    schema.GroupResource
	Read, Wrote string
}

func (s *Stale) Error() string {
	return fmt.Sprintf("read version: %s is not as new as written version: %s for group resource %s", s.Read, s.Wrote, s.Resource)
}

// NewConsistency is an empty memory over caches. A write of a resource that
// has no cache here is never waited for.
func NewConsistency(caches map[schema.GroupResource]Cache) *Consistency {
	return &Consistency{caches: caches, owners: map[types.NamespacedName]*written{}}
}

// WroteAt notes a write for an owner. An owner of another UID loses its record.
func (c *Consistency) WroteAt(owner types.NamespacedName, uid types.UID, resource schema.GroupResource, version string) {
	c.lock.Lock()
	defer c.lock.Unlock()
	w := c.owners[owner]
	if w == nil || w.uid != uid {
		w = &written{uid: uid, versions: map[schema.GroupResource]string{}}
		c.owners[owner] = w
	}
	if old, exists := w.versions[resource]; exists {
		if order, err := resourceversion.CompareResourceVersion(old, version); err == nil && order >= 0 {
			return
		}
	}
	w.versions[resource] = version
}

// Clear forgets the owner's writes if its UID is uid, or uid is empty.
func (c *Consistency) Clear(owner types.NamespacedName, uid types.UID) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if w := c.owners[owner]; w != nil && (uid == "" || w.uid == uid) {
		delete(c.owners, owner)
	}
}

// Ready lists the caches that have not read as far as the owner's writes, by
// resource; upstream's EnsureReady returns one of them, and which is chance.
// The record goes when there are none.
func (c *Consistency) Ready(owner types.NamespacedName) []*Stale {
	c.lock.Lock()
	defer c.lock.Unlock()
	w := c.owners[owner]
	if w == nil {
		return nil
	}
	var behind []*Stale
	for resource, version := range w.versions {
		if s := c.compare(resource, version); s != nil {
			behind = append(behind, s)
		}
	}
	if behind == nil {
		delete(c.owners, owner)
	}
	slices.SortFunc(behind, func(a, b *Stale) int { return cmp.Compare(a.Resource.String(), b.Resource.String()) })
	return behind
}

// compare is nil if the cache has read as far as version, or can't be held to it.
func (c *Consistency) compare(resource schema.GroupResource, version string) *Stale {
	cache := c.caches[resource]
	if cache == nil {
		return nil
	}
	read := cache.LastStoreSyncResourceVersion()
	if order, err := resourceversion.CompareResourceVersion(version, read); err != nil || order <= 0 {
		return nil
	}
	return &Stale{Resource: resource, Read: read, Wrote: version}
}

// Written is a copy of what was written for the owner, by resource.
func (c *Consistency) Written(owner types.NamespacedName) map[schema.GroupResource]string {
	c.lock.Lock()
	defer c.lock.Unlock()
	if w := c.owners[owner]; w != nil {
		return maps.Clone(w.versions)
	}
	return nil
}
