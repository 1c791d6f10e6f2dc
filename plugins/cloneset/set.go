package cloneset

import (
	"encoding/json"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// Kinds are the kinds that this plugin decides.
var Kinds = []view.Kind{view.CloneSets}

// set is the target, as far as the controller consults it.
type set struct {
	*unstructured.Unstructured
	ref      decision.Ref
	spec     spec
	status   status
	selector labels.Selector
	// invalid is the error of a selector that does not parse.
	invalid error
}

func load(r *view.Reader, t view.Target) (*set, error) {
	need := view.Need{Kind: t.Kind, Namespace: t.Namespace, Name: t.Name, Detail: view.Full}
	obj, found := view.Get[*unstructured.Unstructured](r, need)
	if err := r.Err(need); err != nil {
		return nil, err
	}
	if !found {
		return nil, &view.NotFound{Target: t}
	}
	s, err := newSet(obj)
	if err != nil {
		return nil, err
	}
	return s, decision.NotNegative(s.ref, "spec.replicas", int32(s.want()))
}

func newSet(obj *unstructured.Unstructured) (*set, error) {
	s := &set{Unstructured: obj, ref: ownership.RefTo(view.CloneSets, obj)}
	if v := obj.GetAPIVersion(); v != view.CloneSets.GroupVersion().String() {
		return nil, fmt.Errorf("%s is of %s, whose fields no modelled release of Kruise has: get it as %s",
			s.ref.Qualified(), v, view.CloneSets.GroupVersion())
	}
	var decoded struct {
		Spec   *spec   `json:"spec"`
		Status *status `json:"status"`
	}
	decoded.Spec, decoded.Status = &s.spec, &s.status
	text, err := obj.MarshalJSON()
	if err == nil {
		err = json.Unmarshal(text, &decoded)
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", s.ref.Qualified(), err)
	}
	s.selector, s.invalid = metav1.LabelSelectorAsSelector(s.spec.Selector)
	return s, nil
}

// want is spec.replicas; Kruise's webhook defaults it to 1, files may lack it.
func (s *set) want() int {
	if s.spec.Replicas == nil {
		return 1
	}
	return int(*s.spec.Replicas)
}

// template is the pod template as it stands in the object.
func (s *set) template() map[string]any {
	t, _, _ := unstructured.NestedMap(s.Object, "spec", "template") // of another form: empty, as upstream decodes it
	return t
}

func (s *set) deleting() bool { return s.GetDeletionTimestamp() != nil }

func (s *set) inPlace() bool {
	return s.spec.UpdateStrategy.Type == inPlaceIfPossible || s.spec.UpdateStrategy.Type == inPlaceOnly
}

func (s *set) updateHook() *kruise.Hook {
	if s.spec.Lifecycle == nil {
		return nil
	}
	return s.spec.Lifecycle.InPlaceUpdate
}

func (s *set) deleteHook() *kruise.Hook {
	if s.spec.Lifecycle == nil {
		return nil
	}
	return s.spec.Lifecycle.PreDelete
}

// field is what stands in a field below spec, as text; empty for an unset one.
func (s *set) field(path string) string {
	v, ok, err := unstructured.NestedFieldNoCopy(s.Object, append([]string{"spec"}, strings.Split(path, ".")...)...)
	if !ok || err != nil {
		return ""
	}
	return fmt.Sprint(v)
}
