package kruisedriver

import (
	"encoding/json"
	"reflect"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// The methods below do what the API server does to an object that passes its
// admission and validation, as far as the controller can see it: no defaults,
// no generation, and a deleted object is gone at once.

func (s *store) create(obj client.Object) error {
	c, key := s.collection(kindOf(obj)), client.ObjectKeyFromObject(obj)
	if _, ok := c.objects[key]; ok {
		return alreadyExists(kindOf(obj), key.Name)
	}
	obj.SetUID(s.nextUID())
	obj.SetResourceVersion(s.nextVersion())
	obj.SetCreationTimestamp(metav1.NewTime(time.Now()))
	c.add(key, obj.DeepCopyObject().(client.Object))
	return nil
}

func (s *store) delete(obj client.Object) error {
	c, key := s.collection(kindOf(obj)), client.ObjectKeyFromObject(obj)
	if _, ok := c.objects[key]; !ok {
		return notFound(kindOf(obj), key.Name)
	}
	c.remove(key)
	return nil
}

// update leaves the status as it was; updateStatus everything else.
func (s *store) update(obj client.Object) error {
	return s.replace(obj, func(held client.Object) client.Object {
		changed := obj.DeepCopyObject().(client.Object)
		if status := statusOf(changed); status.IsValid() {
			status.Set(statusOf(held.DeepCopyObject()))
		}
		return changed
	})
}

func (s *store) updateStatus(obj client.Object) error {
	return s.replace(obj, func(held client.Object) client.Object {
		changed := held.DeepCopyObject().(client.Object)
		statusOf(changed).Set(statusOf(obj.DeepCopyObject()))
		return changed
	})
}

func statusOf(object any) reflect.Value {
	return reflect.ValueOf(object).Elem().FieldByName("Status")
}

// replace refuses a stale resource version and answers into obj.
func (s *store) replace(obj client.Object, change func(held client.Object) client.Object) error {
	kind, key := kindOf(obj), client.ObjectKeyFromObject(obj)
	held := s.get(kind, key)
	if held == nil {
		return notFound(kind, key.Name)
	}
	if version := obj.GetResourceVersion(); version != "" && version != held.GetResourceVersion() {
		return conflict(kind, key.Name)
	}
	s.put(held, change(held), obj)
	return nil
}

func (s *store) patch(obj client.Object, patchType types.PatchType, body []byte) error {
	kind, key := kindOf(obj), client.ObjectKeyFromObject(obj)
	held := s.get(kind, key)
	if held == nil {
		return notFound(kind, key.Name)
	}
	if patchType != types.StrategicMergePatchType {
		return badRequest("the oracle does not know patches of type " + string(patchType))
	}
	before, err := json.Marshal(held)
	if err != nil {
		return err
	}
	after, err := strategicpatch.StrategicMergePatch(before, body, held)
	if err != nil {
		return badRequest(err.Error())
	}
	changed := reflect.New(reflect.TypeOf(held).Elem()).Interface().(client.Object)
	if err := json.Unmarshal(after, changed); err != nil {
		return badRequest(err.Error())
	}
	s.put(held, changed, obj)
	return nil
}

// put holds changed in place of held, at a new version if there is a change,
// and copies it into answer.
func (s *store) put(held, changed, answer client.Object) {
	changed.SetUID(held.GetUID())
	changed.SetResourceVersion(held.GetResourceVersion())
	if !equality.Semantic.DeepEqual(held, changed) {
		changed.SetResourceVersion(s.nextVersion())
	}
	s.collection(kindOf(held)).objects[client.ObjectKeyFromObject(held)] = changed
	copyInto(answer, changed)
}

// encode is the object as it is sent.
func encode(obj client.Object) []byte {
	body, err := json.Marshal(obj)
	if err != nil {
		panic(err)
	}
	return body
}
