package whatif

import (
	"encoding/json"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/strategicpatch"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// merge patches an object as kubectl apply does: lists of typed kinds by their
// merge keys, custom resources by RFC 7386.
func merge(k view.Kind, object, patch []byte) ([]byte, error) {
	if !k.Typed() {
		return mergeUntyped(object, patch)
	}
	like, err := view.Scheme.New(k.GroupVersionKind)
	if err != nil {
		return nil, err
	}
	return strategicpatch.StrategicMergePatch(object, patch, like)
}

func mergeUntyped(object, patch []byte) ([]byte, error) {
	var o, p map[string]any
	if err := json.Unmarshal(object, &o); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(patch, &p); err != nil {
		return nil, err
	}
	return json.Marshal(mergeValues(o, p))
}

// mergeValues is MergePatch of RFC 7386.
func mergeValues(object, patch any) any {
	p, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	merged := map[string]any{}
	if o, ok := object.(map[string]any); ok {
		merged = o
	}
	for key, value := range p {
		if value == nil {
			delete(merged, key)
			continue
		}
		merged[key] = mergeValues(merged[key], value)
	}
	return merged
}

func decode(k view.Kind, text []byte) (metav1.Object, error) {
	var obj runtime.Object
	var err error
	if k.Typed() {
		obj, _, err = view.Codecs.UniversalDeserializer().Decode(text, &k.GroupVersionKind, nil)
	} else {
		obj, _, err = unstructured.UnstructuredJSONScheme.Decode(text, &k.GroupVersionKind, nil)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the changed %s: %w", strings.ToLower(k.Kind), err)
	}
	return view.Meta(obj), nil
}
