package expectations

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/resourceversion"
)

// Consistency keeps, by owner, the newest resource version that the controller
// wrote of each resource, and reports whether its caches have read that far. It
// mirrors RealConsistencyStore (pkg/controller/util/consistency, v1.37.1),
// behind the gate StaleControllerConsistencyReplicaSet since 1.36.
type Consistency struct {
	lock   sync.Mutex
	owners map[types.NamespacedName]*written
}

// written is what was written for the owner with this UID.
type written struct {
	uid      types.UID
	versions map[schema.GroupResource]string
}

// Stale says that a cache has not read as far as a write. Wrote is empty where
// it is not known what the API server numbered the write.
type Stale struct {
	Resource    schema.GroupResource
	Read, Wrote string
}

// Error is what the controller logs.
func (s *Stale) Error() string {
	if s.Wrote == "" {
		return fmt.Sprintf("read version: %s is not as new as what was written for group resource %s", s.Read, s.Resource)
	}
	return fmt.Sprintf("read version: %s is not as new as written version: %s for group resource %s", s.Read, s.Wrote, s.Resource)
}

// NewConsistency is an empty memory.
func NewConsistency() *Consistency {
	return &Consistency{owners: map[types.NamespacedName]*written{}}
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
// resource; upstream's EnsureReady returns one of them, and which is not deterministic.
// The record goes when there are none. read tells what version a cache has read
// up to; one of which it tells none is never waited for.
func (c *Consistency) Ready(owner types.NamespacedName, read func(schema.GroupResource) string) []*Stale {
	c.lock.Lock()
	defer c.lock.Unlock()
	w := c.owners[owner]
	if w == nil {
		return nil
	}
	var behind []*Stale
	for resource, version := range w.versions {
		// Versions that don't compare hold nothing back.
		upTo := read(resource)
		if order, err := resourceversion.CompareResourceVersion(version, upTo); err == nil && order > 0 {
			behind = append(behind, &Stale{Resource: resource, Read: upTo, Wrote: version})
		}
	}
	if behind == nil {
		delete(c.owners, owner)
	}
	slices.SortFunc(behind, func(a, b *Stale) int { return cmp.Compare(a.Resource.String(), b.Resource.String()) })
	return behind
}
