package api

import (
	"fmt"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// Kinds are the kinds that this plugin decides.
var Kinds = []view.Kind{view.CloneSets}

// Set is the target, as far as the controller consults it.
type Set struct {
	*unstructured.Unstructured
	Ref      decision.Ref
	Spec     Spec
	Status   Status
	Selector labels.Selector
	// Invalid is the error of a selector that does not parse.
	Invalid error
}

// Get returns the target as the Reader has it. Errors: *view.NotFound, an object of
// another version, and whatever kept the target from being read.
func Get(r *view.Reader, t view.Target) (*Set, error) {
	need := view.Need{Kind: t.Kind, Namespace: t.Namespace, Name: t.Name, Detail: view.Full}
	obj, found := view.Get[*unstructured.Unstructured](r, need)
	if err := r.Err(need); err != nil {
		return nil, err
	}
	if !found {
		return nil, &view.NotFound{Target: t}
	}
	s, err := Read(obj)
	if err != nil {
		return nil, err
	}
	return s, decision.NotNegative(s.Ref, "spec.replicas", int32(s.Desired()))
}

// Read returns a CloneSet. Errors: one of another version, or whose fields do not parse.
func Read(obj *unstructured.Unstructured) (*Set, error) {
	s := &Set{Unstructured: obj, Ref: ownership.RefTo(view.CloneSets, obj)}
	if v := obj.GetAPIVersion(); v != view.CloneSets.GroupVersion().String() {
		return nil, fmt.Errorf("%s is of %s, whose fields no modelled release of Kruise has: get it as %s",
			s.Ref.Qualified(), v, view.CloneSets.GroupVersion())
	}
	var decoded struct {
		Spec   *Spec   `json:"spec"`
		Status *Status `json:"status"`
	}
	decoded.Spec, decoded.Status = &s.Spec, &s.Status
	text, err := obj.MarshalJSON()
	if err == nil {
		err = utiljson.Unmarshal(text, &decoded)
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", s.Ref.Qualified(), view.Undecodable(err))
	}
	s.Selector, s.Invalid = metav1.LabelSelectorAsSelector(s.Spec.Selector)
	return s, nil
}

// Desired returns spec.replicas; Kruise's webhook defaults it to 1, files may lack it.
func (s *Set) Desired() int {
	if s.Spec.Replicas == nil {
		return 1
	}
	return int(*s.Spec.Replicas)
}

// TemplateFields returns the pod template as it stands in the object.
//
//go:noinline // it is called at many places
func (s *Set) TemplateFields() map[string]any {
	t, _, _ := unstructured.NestedMap(s.Object, "spec", "template") // of another form: empty, as upstream decodes it
	return t
}

// Reference returns the ownerReference that makes the CloneSet an object's controller.
func (s *Set) Reference() metav1.OwnerReference {
	return *metav1.NewControllerRef(s, s.GroupVersionKind())
}

// Deleting reports whether the CloneSet is being deleted.
//
//go:noinline // it is called at many places
func (s *Set) Deleting() bool { return s.GetDeletionTimestamp() != nil }

// InPlace reports whether pods are updated in place where that is possible.
func (s *Set) InPlace() bool {
	return s.Spec.UpdateStrategy.Type == InPlaceIfPossible || s.Spec.UpdateStrategy.Type == InPlaceOnly
}

// UpdateHook returns the hook before an update in place, or nil.
func (s *Set) UpdateHook() *kruise.Hook {
	if s.Spec.Lifecycle == nil {
		return nil
	}
	return s.Spec.Lifecycle.InPlaceUpdate
}

// DeleteHook returns the hook before a deletion, or nil.
func (s *Set) DeleteHook() *kruise.Hook {
	if s.Spec.Lifecycle == nil {
		return nil
	}
	return s.Spec.Lifecycle.PreDelete
}

// Written returns what stands in a field below spec, as text; empty for an unset one.
func (s *Set) Written(path string) string {
	v, ok, err := unstructured.NestedFieldNoCopy(s.Object, append([]string{"spec"}, strings.Split(path, ".")...)...)
	if !ok || err != nil {
		return ""
	}
	return fmt.Sprint(v)
}

// Grace returns for how long a Pod is out of service before its images change.
func (s *Set) Grace() time.Duration {
	g := s.Spec.UpdateStrategy.InPlaceUpdateStrategy
	if g == nil {
		return 0
	}
	return time.Duration(g.GracePeriodSeconds) * time.Second
}

// ExcludesPreparingDelete reports whether Pods in PreparingDelete do not count for scaling, of a
// manager for all of whose CloneSets that is so, or not (cloneset_sync_utils.go
// calculateDiffsWithExpectation, v1.9.1).
func (s *Set) ExcludesPreparingDelete(byManager bool) bool {
	return byManager || s.GetLabels()[excludeLabel] == "true" || s.Spec.ScaleStrategy.ExcludePreparingDelete
}
