package cloneset

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/rand"
)

// template is a pod template as a ControllerRevision holds it: the JSON of
// {"spec":{"template":…}} with sorted keys, and the same decoded.
type template struct {
	raw    []byte
	fields map[string]any
	typed  corev1.PodTemplateSpec
}

// canonical encodes a template as getPatch does (pkg/controller/cloneset/
// revision/cloneset_revision.go, v1.9.1): through its Go type, then as a map.
func canonical(fields map[string]any) template {
	typed, ok := typedTemplate(fields)
	if !ok {
		return template{}
	}
	return encoded(typed)
}

func typedTemplate(fields map[string]any) (typed corev1.PodTemplateSpec, ok bool) {
	text, err := json.Marshal(fields)
	return typed, err == nil && json.Unmarshal(text, &typed) == nil
}

func encoded(typed corev1.PodTemplateSpec) template {
	t := template{typed: typed}
	text, err := json.Marshal(&t.typed)
	if err != nil || json.Unmarshal(text, &t.fields) != nil {
		return template{}
	}
	restoreTimestamps(t.fields)
	t.fields["$patch"] = "replace"
	t.raw, _ = json.Marshal(map[string]any{"spec": map[string]any{"template": t.fields}}) // decoded from JSON a line ago
	return t
}

// restoreTimestamps puts back the null that the manager's older API libraries
// write for an unset time of creation; k8s.io/apimachinery drops it from 0.34 on.
func restoreTimestamps(template map[string]any) {
	null := func(of map[string]any) {
		meta, ok := of["metadata"].(map[string]any)
		if !ok {
			meta = map[string]any{}
			of["metadata"] = meta
		}
		if _, set := meta["creationTimestamp"]; !set {
			meta["creationTimestamp"] = nil
		}
	}
	null(template)
	spec, _ := template["spec"].(map[string]any)
	volumes, _ := spec["volumes"].([]any)
	for _, v := range volumes {
		volume, _ := v.(map[string]any)
		ephemeral, _ := volume["ephemeral"].(map[string]any)
		if claim, ok := ephemeral["volumeClaimTemplate"].(map[string]any); ok {
			null(claim)
		}
	}
}

// templateOf reads the data of a ControllerRevision.
func templateOf(raw []byte) template {
	var data struct {
		Spec struct {
			Template map[string]any `json:"template"`
		} `json:"spec"`
	}
	if json.Unmarshal(raw, &data) != nil || data.Spec.Template == nil {
		return template{}
	}
	return canonical(data.Spec.Template)
}

func (t template) same(other template) bool {
	return len(t.raw) > 0 && bytes.Equal(t.raw, other.raw)
}

// hash mirrors HashControllerRevision of k8s.io/kubernetes/pkg/controller/
// history: FNV-1 of the bytes and the collision count.
func (t template) hash(collisions int32) string {
	h := fnv.New32()
	h.Write(t.raw)
	h.Write([]byte(strconv.FormatInt(int64(collisions), 10)))
	return rand.SafeEncodeString(fmt.Sprint(h.Sum32()))
}
