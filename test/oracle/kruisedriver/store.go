package kruisedriver

import (
	"fmt"
	"reflect"
	"strconv"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// store holds objects as an API server would. What it holds is never changed
// in place, so that many runs can begin with the same objects.
type store struct {
	kinds   map[string]*collection
	version uint64
	created int
}

// collection is the objects of one kind, in the order in which lists have them.
type collection struct {
	keys    []types.NamespacedName
	objects map[types.NamespacedName]client.Object
}

func newStore() *store { return &store{kinds: map[string]*collection{}} }

// kindOf is the object's Go type, which for every kind here is its kind.
func kindOf(object runtime.Object) string { return reflect.TypeOf(object).Elem().Name() }

func (s *store) collection(kind string) *collection {
	c, ok := s.kinds[kind]
	if !ok {
		c = &collection{objects: map[types.NamespacedName]client.Object{}}
		s.kinds[kind] = c
	}
	return c
}

// fill adds an object of the request.
func (s *store) fill(object client.Object) error {
	c, key := s.collection(kindOf(object)), client.ObjectKeyFromObject(object)
	if _, ok := c.objects[key]; ok {
		return fmt.Errorf("two objects %s %s", kindOf(object), key)
	}
	c.add(key, object)
	if version, err := strconv.ParseUint(object.GetResourceVersion(), 10, 64); err == nil && version > s.version {
		s.version = version
	}
	return nil
}

func (s *store) get(kind string, key types.NamespacedName) client.Object {
	return s.collection(kind).objects[key]
}

// add and put take the object over; the caller must not change it any more.
func (c *collection) add(key types.NamespacedName, object client.Object) {
	c.keys = append(c.keys, key)
	c.objects[key] = object
}

func (c *collection) remove(key types.NamespacedName) {
	delete(c.objects, key)
	for i := range c.keys {
		if c.keys[i] == key {
			c.keys = append(c.keys[:i:i], c.keys[i+1:]...)
			return
		}
	}
}

// nextVersion is newer than every version that the request has.
func (s *store) nextVersion() string {
	s.version++
	return strconv.FormatUint(s.version, 10)
}

// nextUID numbers created objects.
func (s *store) nextUID() types.UID {
	s.created++
	return types.UID("created-" + strconv.Itoa(s.created))
}

// copyInto makes target, a pointer, a deep copy of source of the same type.
func copyInto(target, source runtime.Object) {
	reflect.ValueOf(target).Elem().Set(reflect.ValueOf(source.DeepCopyObject()).Elem())
}
