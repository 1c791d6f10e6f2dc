package webhook

import (
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/template"
)

// Default completes obj as Kruise's mutating webhook does before it is stored;
// old is nil for a new object. It changes obj (SetDefaultsCloneSet of
// apis/apps/defaults/v1alpha1.go, and pkg/webhook/cloneset/mutating, v1.9.1;
// the same in 1.8.3). Gate TemplateNoDefaults is taken as off.
func Default(obj, old metav1.Object) {
	u, ok := obj.(*unstructured.Unstructured)
	if !ok {
		return
	}
	spec := child(u.Object, "spec")
	orSet(spec, "replicas", int64(1))
	orSet(spec, "revisionHistoryLimit", int64(10))
	if templateChanged(u, old) {
		defaultPod(child(child(spec, "template"), "spec"))
		each(spec, "volumeClaimTemplates", defaultClaim)
	}
	strategy := child(spec, "updateStrategy")
	orSet(strategy, "type", api.Recreate)
	if t := strategy["type"]; t == api.InPlaceIfPossible || t == api.InPlaceOnly {
		child(strategy, "inPlaceUpdateStrategy")
	}
	orSet(strategy, "partition", int64(0))
	orSet(strategy, "maxUnavailable", "20%")
	orSet(strategy, "maxSurge", int64(0))
}

// templateChanged: defaults are added to templates that are new. What stands in
// an unchanged one stays, even where it lacks defaults.
func templateChanged(u *unstructured.Unstructured, old metav1.Object) bool {
	before, ok := old.(*unstructured.Unstructured)
	if !ok {
		return true
	}
	a, _, _ := unstructured.NestedMap(u.Object, "spec", "template") // of another form: the controller can't read it either
	b, _, _ := unstructured.NestedMap(before.Object, "spec", "template")
	x, y := template.Canonical(a), template.Canonical(b)
	return !reflect.DeepEqual(x.Typed, y.Typed)
}

// child is a map in a map, made when it is not there.
func child(m map[string]any, key string) map[string]any {
	if c, ok := m[key].(map[string]any); ok {
		return c
	}
	c := map[string]any{}
	m[key] = c
	return c
}

// orSet sets what is not set. Zero values of strings count as unset, as they do
// for the webhook.
//
//go:noinline
func orSet(m map[string]any, key string, value any) {
	if old, ok := m[key]; !ok || old == nil || old == "" {
		m[key] = value
	}
}

// each calls f for the maps in a list.
//
//go:noinline // it is called at many places
func each(m map[string]any, key string, f func(map[string]any)) {
	items, _ := m[key].([]any)
	for _, item := range items {
		if fields, ok := item.(map[string]any); ok {
			f(fields)
		}
	}
}

// have calls f for a map in a map, if it is there.
//
//go:noinline
func have(m map[string]any, key string, f func(map[string]any)) {
	if fields, ok := m[key].(map[string]any); ok {
		f(fields)
	}
}
