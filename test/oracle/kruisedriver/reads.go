package kruisedriver

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/openkruise/kruise/pkg/util/fieldindex"
)

// get copies the object; it does not share memory with the store.
func (c *recordingClient) get(key client.ObjectKey, obj client.Object) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	kind := kindOf(obj)
	if err := c.faults.on("get", kind, "", key.Name); err != nil {
		return err
	}
	held := c.store.get(kind, key)
	if held == nil {
		return notFound(kind, key.Name)
	}
	copyInto(obj, held)
	return nil
}

// List copies too, also where upstream asks for none: a copy differs only in
// what upstream could break in its cache.
func (c *recordingClient) List(_ context.Context, list client.ObjectList, opts ...client.ListOption) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	kind := strings.TrimSuffix(kindOf(list), "List")
	if err := c.faults.on("list", kind, "", ""); err != nil {
		return err
	}
	wanted := (&client.ListOptions{}).ApplyOptions(opts)
	owner, err := ownerUID(wanted)
	if err != nil {
		return err
	}
	held := c.store.collection(kind)
	found := make([]runtime.Object, 0, len(held.keys))
	for _, key := range held.keys {
		if object := held.objects[key]; matches(object, wanted, owner) {
			found = append(found, object.DeepCopyObject())
		}
	}
	return meta.SetList(list, found)
}

// ownerUID is the value of the only field selector that the controller uses,
// kruise's index of owner references.
func ownerUID(opts *client.ListOptions) (string, error) {
	if opts.FieldSelector == nil || opts.FieldSelector.Empty() {
		return "", nil
	}
	uid, exact := opts.FieldSelector.RequiresExactMatch(fieldindex.IndexNameForOwnerRefUID)
	if !exact {
		return "", fmt.Errorf("the oracle has no index for %s", opts.FieldSelector)
	}
	return uid, nil
}

func matches(object client.Object, opts *client.ListOptions, owner string) bool {
	if opts.Namespace != "" && object.GetNamespace() != opts.Namespace {
		return false
	}
	if opts.LabelSelector != nil && !opts.LabelSelector.Matches(labels.Set(object.GetLabels())) {
		return false
	}
	if owner == "" {
		return true
	}
	for _, ref := range object.GetOwnerReferences() {
		if string(ref.UID) == owner {
			return true
		}
	}
	return false
}
