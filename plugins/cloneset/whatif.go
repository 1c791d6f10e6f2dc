package cloneset

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Scale is obj with another number of replicas, as the API server would store
// it: a change of the spec raises the generation.
func Scale(obj metav1.Object, replicas int32) (metav1.Object, decision.Change, error) {
	changed, changes, err := WhatIf{Replicas: &replicas}.Apply(obj)
	if err != nil {
		return nil, decision.Change{}, err
	}
	if len(changes) == 0 {
		same := fmt.Sprint(replicas)
		return changed, decision.Change{Object: ownership.RefTo(view.CloneSets, obj), Path: "spec.replicas", From: same, To: same}, nil
	}
	return changed, changes[0], nil
}

// WhatIf is what a user may ask of a CloneSet before doing it. Nil and empty
// fields stay as they are.
type WhatIf struct {
	Replicas *int32
	// Images are the new images by container name.
	Images map[string]string
	// Partition, MaxUnavailable and MaxSurge are numbers or percentages.
	Partition, MaxUnavailable, MaxSurge *string
	Paused                              *bool
	UpdateType                          *string
	// Delete names pods for scaleStrategy.podsToDelete.
	Delete []string
}

// Apply lays the changes over obj, which stays as it is.
func (w WhatIf) Apply(obj metav1.Object) (metav1.Object, []decision.Change, error) {
	u, ok := obj.(*unstructured.Unstructured)
	if !ok || u.GetKind() != view.CloneSets.Kind {
		return nil, nil, fmt.Errorf("a %T is no CloneSet", obj)
	}
	e := edit{obj: u.DeepCopy()}
	w.apply(&e)
	if e.err != nil {
		return nil, nil, fmt.Errorf("changing %s: %w", ownership.RefTo(view.CloneSets, obj).Qualified(), e.err)
	}
	if len(e.changes) > 0 {
		e.obj.SetGeneration(e.obj.GetGeneration() + 1)
	}
	return e.obj, e.changes, nil
}

func (w WhatIf) apply(e *edit) {
	if w.Replicas != nil {
		e.set(int64(*w.Replicas), "replicas")
	}
	for _, f := range []struct {
		value *string
		field string
	}{{w.Partition, "partition"}, {w.MaxUnavailable, "maxUnavailable"}, {w.MaxSurge, "maxSurge"}} {
		if f.value != nil {
			e.set(number(*f.value), "updateStrategy", f.field)
		}
	}
	if w.Paused != nil {
		e.set(*w.Paused, "updateStrategy", "paused")
	}
	if w.UpdateType != nil {
		e.set(*w.UpdateType, "updateStrategy", "type")
	}
	for _, name := range slices.Sorted(maps.Keys(w.Images)) {
		e.image(name, w.Images[name])
	}
	e.delete(w.Delete)
}

// number is an integer where the text is one, as kubectl would write it.
func number(text string) any {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n
	}
	return text
}

// edit changes a copy of an object and notes what it changed.
type edit struct {
	obj     *unstructured.Unstructured
	changes []decision.Change
	err     error
}

func (e *edit) set(value any, path ...string) {
	full := append([]string{"spec"}, path...)
	old, found, err := unstructured.NestedFieldNoCopy(e.obj.Object, full...)
	if err == nil {
		err = unstructured.SetNestedField(e.obj.Object, value, full...)
	}
	if err != nil {
		e.err = err
		return
	}
	from := "unset"
	if found {
		from = fmt.Sprint(old)
	}
	e.note(joinPath(full), from, fmt.Sprint(value))
}

func (e *edit) note(path, from, to string) {
	if from != to {
		e.changes = append(e.changes, decision.Change{Object: ownership.RefTo(view.CloneSets, e.obj), Path: path, From: from, To: to})
	}
}

func joinPath(path []string) string {
	out := path[0]
	for _, p := range path[1:] {
		out += "." + p
	}
	return out
}

func (e *edit) image(container, image string) {
	list, _, err := unstructured.NestedSlice(e.obj.Object, "spec", "template", "spec", "containers")
	if err != nil {
		e.err = err
		return
	}
	for i, c := range list {
		fields, _ := c.(map[string]any)
		if fields["name"] == container {
			from := fmt.Sprint(fields["image"])
			fields["image"] = image
			e.err = unstructured.SetNestedSlice(e.obj.Object, list, "spec", "template", "spec", "containers")
			e.note(fmt.Sprintf("spec.template.spec.containers[%d].image", i), from, image)
			return
		}
	}
	e.err = fmt.Errorf("the template has no container %q", container)
}

func (e *edit) delete(pods []string) {
	if len(pods) == 0 {
		return
	}
	old, _, err := unstructured.NestedStringSlice(e.obj.Object, "spec", "scaleStrategy", "podsToDelete")
	if err != nil {
		e.err = err
		return
	}
	all := slices.Clone(old)
	for _, p := range pods {
		if !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	if e.err = unstructured.SetNestedStringSlice(e.obj.Object, all, "spec", "scaleStrategy", "podsToDelete"); e.err == nil {
		e.note("spec.scaleStrategy.podsToDelete", orDash(list(old)), list(all))
	}
}
