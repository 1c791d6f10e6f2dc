package whatif

import (
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// merge patches an object as the API server does with what kubectl apply sends: lists of
// typed kinds by their merge keys, custom resources by RFC 7386.
func merge(k view.Kind, object, manifest []byte) ([]byte, error) {
	patch, err := patchOf(k, object, manifest)
	if err != nil {
		return nil, err
	}
	if k.Typed() {
		like, err := view.Scheme.New(k.GroupVersionKind)
		if err != nil {
			return nil, err
		}
		return strategicpatch.StrategicMergePatch(object, patch, like)
	}
	var o, p map[string]any
	if err := json.Unmarshal(object, &o); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(patch, &p); err != nil {
		return nil, err
	}
	return json.Marshal(mergeValues(o, p))
}

// patchOf is the patch of the three-way merge of kubectl apply: it removes what the manifest
// that was applied last has, and this one has not.
func patchOf(k view.Kind, object, manifest []byte) ([]byte, error) {
	last, text, err := lastApplied(object)
	if err != nil {
		return nil, err
	}
	if text != "" { // kubectl puts the annotation into the manifest; the old one shows no change
		if manifest, err = annotated(manifest, text); err != nil {
			return nil, err
		}
	}
	if !k.Typed() {
		return jsonmergepatch.CreateThreeWayJSONMergePatch(last, manifest, object)
	}
	like, err := view.Scheme.New(k.GroupVersionKind)
	if err != nil {
		return nil, err
	}
	meta, err := strategicpatch.NewPatchMetaFromStruct(like)
	if err != nil {
		return nil, err
	}
	return strategicpatch.CreateThreeWayMergePatch(last, manifest, object, meta, true)
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

// lastApplied is the manifest that kubectl keeps in an annotation, without what
// it can't set, and the annotation's text; both are empty where there is none.
func lastApplied(object []byte) (last []byte, text string, err error) {
	var o struct {
		Metadata struct {
			Annotations map[string]string `json:"annotations"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(object, &o); err != nil {
		return nil, "", err
	}
	if text = o.Metadata.Annotations[corev1.LastAppliedConfigAnnotation]; text == "" || text == view.LeftOut {
		return nil, "", nil
	}
	known, _, err := view.FromLaterJSON([]byte(text), view.Partial)
	if err != nil {
		return nil, "", fmt.Errorf("annotation %s: %w", corev1.LastAppliedConfigAnnotation, err)
	}
	if last, err = (Manifest{JSON: known}).spec("apiVersion", "kind"); err != nil {
		return nil, "", fmt.Errorf("annotation %s: %w", corev1.LastAppliedConfigAnnotation, err)
	}
	return last, text, nil
}

func annotated(manifest []byte, text string) ([]byte, error) {
	var all map[string]any
	if err := json.Unmarshal(manifest, &all); err != nil {
		return nil, err
	}
	return json.Marshal(mergeValues(all, map[string]any{"metadata": map[string]any{
		"annotations": map[string]any{corev1.LastAppliedConfigAnnotation: text},
	}}))
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
