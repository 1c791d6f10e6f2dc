package whatif

import (
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Manifest is an object that a user would apply, as JSON.
type Manifest struct {
	Kind view.Kind
	// Namespace is empty for cluster-scoped kinds.
	Namespace, Name string
	JSON            []byte
	// Default completes an object as the API server and its webhooks do; old is nil
	// for a new one. Nil completes nothing.
	Default func(obj, old metav1.Object)
	// Validated is what the API server validates of an object of the kind, nil for one of
	// another kind. Nil validates nothing.
	Validated func(metav1.Object) *Workload
}

// Apply lays m over live, the object of its name, as kubectl apply would: what m does not
// mention stays, unless the manifest that was applied last has it, which an annotation of
// live holds. Of custom resources, lists are replaced whole. A nil live makes a new object,
// created at now. Errors: a manifest that does not fit the kind's type, and what the API
// server refuses.
func (m Manifest) Apply(live metav1.Object, now metav1.Time) (metav1.Object, []decision.Change, error) {
	if live == nil {
		return m.create(now)
	}
	if err := m.identity(live); err != nil {
		return nil, nil, err
	}
	before, err := json.Marshal(live)
	if err != nil {
		return nil, nil, err
	}
	patch, err := m.spec("apiVersion", "kind") // which objects read from a list lack
	if err != nil {
		return nil, nil, err
	}
	after, err := merge(m.Kind, before, patch)
	if err != nil {
		return nil, nil, fmt.Errorf("laying the manifest over %s: %w", m, err)
	}
	obj, err := decode(m.Kind, after)
	if err != nil {
		return nil, nil, err
	}
	if m.Default != nil {
		m.Default(obj, live)
		if after, err = json.Marshal(obj); err != nil {
			return nil, nil, err
		}
	}
	changes, err := diff(ownership.RefTo(m.Kind, live), before, after)
	if err != nil || len(changes) == 0 {
		return obj, nil, err
	}
	return bumpGeneration(obj, changes), changes, m.refuse(obj, changes)
}

// Kept are the paths of fields that m does not mention and that stay in what became of live,
// where that depends on the manifest which was applied last, and live does not hold it: a
// snapshot leaves it out. Errors: as of Apply.
func (m Manifest) Kept(live, applied metav1.Object) ([]string, error) {
	if live == nil || live.GetAnnotations()[corev1.LastAppliedConfigAnnotation] != view.LeftOut {
		return nil, nil
	}
	text, err := m.spec("status")
	if err != nil {
		return nil, err
	}
	alone, err := decode(m.Kind, text)
	if err != nil {
		return nil, err
	}
	if m.Default != nil {
		m.Default(alone, live)
	}
	less, err := json.Marshal(alone)
	if err != nil {
		return nil, err
	}
	more, err := json.Marshal(applied)
	if err != nil {
		return nil, err
	}
	changes, err := diff(decision.Ref{}, less, more)
	var paths []string
	for _, c := range changes {
		if strings.HasPrefix(c.Path, "spec.") {
			paths = append(paths, c.Path)
		}
	}
	return paths, err
}

// In is m with the namespace that it goes into where it names none.
func (m Manifest) In(namespace string) Manifest {
	if m.Kind.Namespaced && m.Namespace == "" {
		m.Namespace = namespace
	}
	return m
}

// String is kind/namespace/name, the form that errors use.
func (m Manifest) String() string {
	if m.Namespace == "" {
		return strings.ToLower(m.Kind.Kind) + "/" + m.Name
	}
	return strings.ToLower(m.Kind.Kind) + "/" + m.Namespace + "/" + m.Name
}

// identity is the error of a manifest that names another object of its name, or another
// version of it than live, as a file does that kubectl get wrote some time ago.
func (m Manifest) identity(live metav1.Object) error {
	var named metav1.PartialObjectMetadata
	if json.Unmarshal(m.JSON, &named) != nil {
		return nil // which spec says
	}
	switch uid, version := named.UID, named.ResourceVersion; {
	case uid != "" && live.GetUID() != "" && uid != live.GetUID():
		return fmt.Errorf("%s: metadata.uid %s is that of another object, and not %s: the API server refuses that; leave it out", m, uid, live.GetUID())
	case version != "" && live.GetResourceVersion() != "" && version != live.GetResourceVersion():
		return fmt.Errorf("%s: metadata.resourceVersion %s is that of another version of the object, which is %s now: the API server refuses that; leave it out", m, version, live.GetResourceVersion())
	}
	return nil
}

// serverOwned are the fields of metadata that the API server sets, whatever a
// manifest says.
var serverOwned = []string{
	"uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp",
	"deletionGracePeriodSeconds", "managedFields", "selfLink", "namespace",
}

// spec is the part of the manifest that a user can set: no status, no
// identity, and nothing of without.
func (m Manifest) spec(without ...string) ([]byte, error) {
	var all map[string]any
	if err := json.Unmarshal(m.JSON, &all); err != nil {
		return nil, err
	}
	for _, field := range append(without, "status") {
		delete(all, field)
	}
	meta, ok := all["metadata"].(map[string]any)
	switch {
	case ok:
		for _, field := range serverOwned {
			delete(meta, field)
		}
		if m.Namespace != "" {
			meta["namespace"] = m.Namespace
		}
	case all["metadata"] != nil:
		return nil, fmt.Errorf("%s: metadata is no object", m)
	default:
		delete(all, "metadata") // null would take the object's own away
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
	if m.Default != nil {
		m.Default(obj, nil)
	}
	created := decision.Change{Object: ownership.RefTo(m.Kind, obj), Path: "object", From: "absent", To: "created"}
	return obj, []decision.Change{created}, m.refuse(obj, nil)
}

// bumpGeneration does what the API server does on a change of the spec.
func bumpGeneration(obj metav1.Object, changes []decision.Change) metav1.Object {
	if touches(changes, "spec") {
		obj.SetGeneration(obj.GetGeneration() + 1)
	}
	return obj
}

// touches reports whether something at or below path changes.
func touches(changes []decision.Change, path string) bool {
	for _, c := range changes {
		if c.Path == path || strings.HasPrefix(c.Path, path+".") {
			return true
		}
	}
	return false
}
