package whatif

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Manifest is an object that a user would apply, as JSON.
type Manifest struct {
	Kind            view.Kind
	Namespace, Name string
	JSON            []byte
}

// Apply lays m over live, the object of its name, as a strategic merge patch:
// what m does not mention stays. A nil live makes a new object, created at
// now. Errors: a manifest that does not fit the kind's type, and a change of a
// selector, which the API server refuses.
func (m Manifest) Apply(live metav1.Object, now metav1.Time) (metav1.Object, []decision.Change, error) {
	if live == nil {
		return m.create(now)
	}
	before, err := json.Marshal(live)
	if err != nil {
		return nil, nil, err
	}
	patch, err := m.spec()
	if err != nil {
		return nil, nil, err
	}
	after, err := strategicpatch.StrategicMergePatch(before, patch, live)
	if err != nil {
		return nil, nil, fmt.Errorf("laying the manifest over %s: %w", m, err)
	}
	obj, err := decode(m.Kind, after)
	if err != nil {
		return nil, nil, err
	}
	changes, err := diff(ownership.RefTo(m.Kind, live), before, after)
	if err != nil {
		return nil, nil, err
	}
	return bumpGeneration(obj, changes), changes, refuseSelector(m, changes)
}

func (m Manifest) String() string {
	return strings.ToLower(m.Kind.Kind) + "/" + m.Namespace + "/" + m.Name
}

// spec is the part of the manifest that a user can set: no status, no
// identity.
func (m Manifest) spec() ([]byte, error) {
	var all map[string]any
	if err := json.Unmarshal(m.JSON, &all); err != nil {
		return nil, err
	}
	delete(all, "status")
	if meta, ok := all["metadata"].(map[string]any); ok {
		for _, field := range []string{"uid", "resourceVersion", "generation", "creationTimestamp", "managedFields", "selfLink"} {
			delete(meta, field)
		}
		meta["namespace"] = m.Namespace
	}
	return json.Marshal(all)
}

func (m Manifest) create(now metav1.Time) (metav1.Object, []decision.Change, error) {
	text, err := m.spec()
	if err != nil {
		return nil, nil, err
	}
	obj, err := decode(m.Kind, text)
	if err != nil {
		return nil, nil, err
	}
	obj.SetUID(types.UID("new:" + m.String()))
	obj.SetCreationTimestamp(now)
	obj.SetGeneration(1)
	return obj, []decision.Change{{Object: ownership.RefTo(m.Kind, obj), Path: "object", From: "absent", To: "created"}}, nil
}

func decode(k view.Kind, text []byte) (metav1.Object, error) {
	obj, _, err := view.Codecs.UniversalDeserializer().Decode(text, &k.GroupVersionKind, nil)
	if err != nil {
		return nil, fmt.Errorf("reading the changed %s: %w", strings.ToLower(k.Kind), err)
	}
	return view.Meta(obj), nil
}

// bumpGeneration does what the API server does on a change of the spec.
func bumpGeneration(obj metav1.Object, changes []decision.Change) metav1.Object {
	for _, c := range changes {
		if strings.HasPrefix(c.Path, "spec.") {
			obj.SetGeneration(obj.GetGeneration() + 1)
			break
		}
	}
	return obj
}

func refuseSelector(m Manifest, changes []decision.Change) error {
	for _, c := range changes {
		if m.Kind.Kind == view.ReplicaSets.Kind && strings.HasPrefix(c.Path, "spec.selector") {
			return fmt.Errorf("%s: %s: %s → %s: the API server refuses to change a selector; delete and create the object instead", m, c.Path, c.From, c.To)
		}
	}
	return nil
}

// diff lists the leaves in which two JSON objects differ.
func diff(ref decision.Ref, before, after []byte) ([]decision.Change, error) {
	var a, b map[string]any
	if err := json.Unmarshal(before, &a); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(after, &b); err != nil {
		return nil, err
	}
	var changes []decision.Change
	walk("", a, b, func(path string, from, to any) {
		changes = append(changes, decision.Change{Object: ref, Path: path, From: show(from), To: show(to)})
	})
	return changes, nil
}

func walk(path string, a, b any, report func(path string, from, to any)) {
	am, aok := a.(map[string]any)
	bm, bok := b.(map[string]any)
	if !aok || !bok {
		if !reflect.DeepEqual(a, b) {
			report(path, a, b)
		}
		return
	}
	keys := map[string]bool{}
	for k := range am {
		keys[k] = true
	}
	for k := range bm {
		keys[k] = true
	}
	for _, k := range sorted(keys) {
		walk(strings.TrimPrefix(path+"."+k, "."), am[k], bm[k], report)
	}
}

func sorted(keys map[string]bool) []string {
	out := make([]string, 0, len(keys))
	for k := range keys {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func show(v any) string {
	if v == nil {
		return "unset"
	}
	if text, ok := v.(string); ok {
		return text
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}
