package api

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
)

// Fields are those that Change knows.
var Fields = []string{
	whatif.Replicas, whatif.Image, whatif.Partition, whatif.MaxUnavailable,
	whatif.MaxSurge, whatif.Paused, whatif.UpdateType, whatif.Delete,
}

// Change is obj with other fields, as the API server would store it, and what
// that changes. obj stays as it is.
func Change(obj metav1.Object, f whatif.Fields) (metav1.Object, []decision.Change, error) {
	u, ok := obj.(*unstructured.Unstructured)
	if !ok || u.GetKind() != view.CloneSets.Kind {
		return nil, nil, fmt.Errorf("a %T is no CloneSet", obj)
	}
	e := edit{obj: u.DeepCopy()}
	e.fields(f)
	if e.err != nil {
		return nil, nil, e.err
	}
	if len(e.changes) > 0 {
		e.obj.SetGeneration(e.obj.GetGeneration() + 1)
	}
	return e.obj, e.changes, nil
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
	e.note(strings.Join(full, "."), from, fmt.Sprint(value))
}

func (e *edit) scale(replicas int64) {
	from, found, err := unstructured.NestedInt64(e.obj.Object, "spec", "replicas")
	if !found {
		from = 1
	}
	before := len(e.changes)
	e.set(replicas, "replicas")
	if err == nil && len(e.changes) > before {
		e.changes[before].Sizes = &decision.Sizes{From: from, To: replicas}
	}
}

func (e *edit) note(path, from, to string) {
	if from != to {
		e.changes = append(e.changes, decision.Change{Object: ownership.RefTo(view.CloneSets, e.obj), Path: path, From: from, To: to})
	}
}

// images changes the containers and init containers of the template.
func (e *edit) images(f whatif.Fields) {
	var all []whatif.Container
	for _, list := range []string{whatif.Containers, whatif.InitContainers} {
		items, _, err := unstructured.NestedFieldNoCopy(e.obj.Object, "spec", "template", "spec", list)
		if err != nil {
			e.err = err
			return
		}
		all = append(all, containers(list, items)...)
	}
	changes, err := f.SetImages(ownership.RefTo(view.CloneSets, e.obj), all)
	e.changes, e.err = append(e.changes, changes...), cmp.Or(e.err, err)
}

// containers are those of one list of a template.
func containers(list string, items any) []whatif.Container {
	var all []whatif.Container
	each, _ := items.([]any)
	for _, item := range each {
		c, _ := item.(map[string]any)
		if c == nil {
			continue
		}
		name, _ := c["name"].(string)
		image, _ := c["image"].(string)
		all = append(all, whatif.Container{List: list, Name: name, Image: image, Set: func(image string) { c["image"] = image }})
	}
	return all
}

func (e *edit) delete(pods []string) {
	if len(pods) == 0 || e.err != nil {
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
		e.note("spec.scaleStrategy.podsToDelete", format.OrDash(format.List(old)), format.List(all))
	}
}

// fields applies the changes in the order in which they are shown.
func (e *edit) fields(f whatif.Fields) {
	if f.Replicas != nil {
		e.scale(int64(*f.Replicas))
	}
	for _, field := range []struct {
		value *string
		name  string
	}{{f.Partition, "partition"}, {f.MaxUnavailable, "maxUnavailable"}, {f.MaxSurge, "maxSurge"}} {
		if field.value != nil {
			e.set(number(*field.value), "updateStrategy", field.name)
		}
	}
	if f.Paused != nil {
		e.set(*f.Paused, "updateStrategy", "paused")
	}
	if f.UpdateType != nil {
		e.set(*f.UpdateType, "updateStrategy", "type")
	}
	if len(f.Images) > 0 {
		e.images(f)
	}
	e.delete(f.Delete)
}

// number is an integer where the text is one, as kubectl would write it.
func number(text string) any {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n
	}
	return text
}
