package revision

import (
	"bytes"
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/podtemplate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
)

// Patch mirrors getPatch (stateful_set_utils.go, v1.37.1): the template as the
// manager of a release encodes it, with sorted keys.
func Patch(t *corev1.PodTemplateSpec, v profile.Version) ([]byte, error) {
	fields, err := fieldsOf(t)
	if err != nil {
		return nil, err
	}
	return patch(fields, v)
}

func fieldsOf(t *corev1.PodTemplateSpec) (map[string]any, error) {
	text, err := json.Marshal(t)
	if err != nil {
		return nil, fmt.Errorf("encode the Pod template: %w", err)
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, fmt.Errorf("encode the Pod template: %w", err)
	}
	return fields, nil
}

func patch(template map[string]any, v profile.Version) ([]byte, error) {
	if !v.AtLeast(34, 0) {
		addTimestamps(template)
	}
	template["$patch"] = "replace"
	return json.Marshal(map[string]any{"spec": map[string]any{"template": template}})
}

// addTimestamps adds the null that API libraries before 0.34 write for an unset time
// of creation (ObjectMeta of k8s.io/apimachinery).
func addTimestamps(template map[string]any) {
	unset(template)
	spec, _ := template["spec"].(map[string]any)
	volumes, _ := spec["volumes"].([]any)
	for _, v := range volumes {
		volume, _ := v.(map[string]any)
		ephemeral, _ := volume["ephemeral"].(map[string]any)
		if claim, ok := ephemeral["volumeClaimTemplate"].(map[string]any); ok {
			unset(claim)
		}
	}
}

func unset(of map[string]any) {
	meta, ok := of["metadata"].(map[string]any)
	if !ok {
		meta = map[string]any{}
		of["metadata"] = meta
	}
	if _, set := meta["creationTimestamp"]; !set {
		meta["creationTimestamp"] = nil
	}
}

// Template mirrors ApplyRevision (stateful_set_utils.go, v1.37.1): the template that
// the data of a ControllerRevision restores, nil for data without one. Errors: data
// that is no JSON of a template.
func Template(raw []byte) (*corev1.PodTemplateSpec, error) {
	var data struct {
		Spec struct {
			Template *corev1.PodTemplateSpec `json:"template"`
		} `json:"spec"`
	}
	if err := json.Unmarshal(raw, &data); err != nil {
		return nil, fmt.Errorf("the data of the ControllerRevision is no Pod template: %w", err)
	}
	return data.Spec.Template, nil
}

// Canonical returns data as getPatch orders it. The API server keeps the bytes; files
// may hold them in another order.
func Canonical(raw []byte) []byte {
	var data any
	if json.Unmarshal(raw, &data) != nil {
		return raw
	}
	text, err := json.Marshal(data)
	if err != nil {
		return raw
	}
	return text
}

// Restores reports whether data that is stored makes the template of other data: what is
// left of it, decoded, with defaults and encoded again, is the same
// (setMatchesLatestExistingRevision of stateful_set_control.go, v1.37.1). The other has its
// defaults from the API server, but where it is read from a file.
func Restores(stored, data []byte, v profile.Version) bool {
	restored, other := complete(stored, v), complete(data, v)
	return restored != nil && bytes.Equal(restored, other)
}

// complete encodes the template of data with defaults, nil where it has none.
func complete(data []byte, v profile.Version) []byte {
	t, err := Template(data)
	if err != nil || t == nil {
		return nil
	}
	fields, err := fieldsOf(t)
	if err != nil {
		return nil
	}
	podtemplate.Fill(fields)
	full, err := patch(fields, v)
	if err != nil {
		return nil
	}
	return full
}
