package bundle

import (
	"encoding/json"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// untyped redacts the pod templates of objects without a Go type and of
// ControllerRevisions, which hold one as JSON. The stand-ins are those of
// typed objects, so that a revision and the template it was made from stay
// equal.
func (r *redactor) untyped(obj metav1.Object) {
	switch o := obj.(type) {
	case *unstructured.Unstructured:
		r.template(o.Object)
	case *appsv1.ControllerRevision:
		var data map[string]any
		if utiljson.Unmarshal(o.Data.Raw, &data) != nil {
			o.Data.Raw = nil // what cannot be read cannot be redacted
			return
		}
		r.template(data)
		if text, err := json.Marshal(data); err == nil {
			o.Data.Raw = text
		}
	}
}

func (r *redactor) template(obj map[string]any) {
	for _, containers := range []string{"initContainers", "containers", "ephemeralContainers"} {
		list, _, _ := unstructured.NestedFieldNoCopy(obj, "spec", "template", "spec", containers) // of another form: none
		all, _ := list.([]any)
		for _, c := range all {
			container, _ := c.(map[string]any)
			vars, _ := container["env"].([]any)
			r.untypedEnv(vars)
		}
	}
}

func (r *redactor) untypedEnv(vars []any) {
	for _, v := range vars {
		variable, _ := v.(map[string]any)
		name, _ := variable["name"].(string)
		if value, _ := variable["value"].(string); value != "" {
			variable["value"] = r.standIn(name, value)
		}
	}
}
