package whatif

import (
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
)

// Request is what kubectl apply sends for m: a patch of live, with its type, or
// without a type m as a new object.
func (m Manifest) Request(live metav1.Object) (types.PatchType, []byte, error) {
	if live == nil {
		body, err := m.spec()
		return "", body, err
	}
	if err := m.identity(live); err != nil {
		return "", nil, err
	}
	manifest, err := m.spec("apiVersion", "kind")
	if err != nil {
		return "", nil, err
	}
	before, err := json.Marshal(live)
	if err != nil {
		return "", nil, err
	}
	patch, err := patchOf(m.Kind, before, manifest)
	if m.Kind.Typed() {
		return types.StrategicMergePatchType, patch, err
	}
	return types.MergePatchType, patch, err
}

// Stored is the object that the API server would store, from its own answer,
// and what that changes of live, which is nil for a new one.
func (m Manifest) Stored(live metav1.Object, answer []byte) (metav1.Object, []decision.Change, error) {
	obj, err := decode(m.Kind, answer)
	if err != nil {
		return nil, nil, err
	}
	if live == nil {
		return obj, []decision.Change{{Object: ownership.RefTo(m.Kind, obj), Path: "object", From: "absent", To: "created"}}, nil
	}
	obj.SetManagedFields(nil)
	before, err := json.Marshal(live)
	if err != nil {
		return nil, nil, err
	}
	after, err := json.Marshal(obj)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the server's answer for %s: %w", m, err)
	}
	changes, err := diff(ownership.RefTo(m.Kind, live), before, after)
	return obj, withoutServerOwned(changes), err
}

// withoutServerOwned leaves out what every write changes.
func withoutServerOwned(changes []decision.Change) []decision.Change {
	var out []decision.Change
	for _, c := range changes {
		switch c.Path {
		case "metadata.generation", "metadata.resourceVersion", "metadata.managedFields", "apiVersion", "kind":
		default:
			out = append(out, c)
		}
	}
	return out
}
