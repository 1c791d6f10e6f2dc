package template

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/rand"
)

// Template is a pod template as a ControllerRevision holds it: the JSON of
// {"spec":{"template":…}} with sorted keys, and the same decoded.
type Template struct {
	Raw    []byte
	Fields map[string]any
	Typed  corev1.PodTemplateSpec
}

// Canonical encodes a template as getPatch does (pkg/controller/cloneset/
// revision/cloneset_revision.go, v1.9.1): through its Go type, then as a map.
func Canonical(fields map[string]any) Template {
	typed, ok := typedTemplate(fields)
	if !ok {
		return Template{}
	}
	return encoded(typed)
}

func typedTemplate(fields map[string]any) (typed corev1.PodTemplateSpec, ok bool) {
	text, err := json.Marshal(fields)
	return typed, err == nil && utiljson.Unmarshal(text, &typed) == nil // which tells cases apart, as those of the API do
}

func encoded(typed corev1.PodTemplateSpec) Template {
	t := Template{Typed: typed}
	text, err := json.Marshal(&t.Typed)
	if err != nil || json.Unmarshal(text, &t.Fields) != nil {
		return Template{}
	}
	restoreTimestamps(t.Fields)
	t.Fields["$patch"] = "replace"
	t.Raw, _ = json.Marshal(map[string]any{"spec": map[string]any{"template": t.Fields}}) // decoded from JSON a line ago
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

// Stored returns the template in the data of a ControllerRevision.
func Stored(raw []byte) Template {
	var data struct {
		Spec struct {
			Template map[string]any `json:"template"`
		} `json:"spec"`
	}
	if json.Unmarshal(raw, &data) != nil || data.Spec.Template == nil {
		return Template{}
	}
	return Canonical(data.Spec.Template)
}

// Same reports whether two templates make the same revision; one that could not be
// read is like none.
func (t Template) Same(other Template) bool {
	return len(t.Raw) > 0 && bytes.Equal(t.Raw, other.Raw)
}

// RevisionHash mirrors HashControllerRevision of k8s.io/kubernetes/pkg/controller/
// history: FNV-1 of the bytes and the collision count.
func (t Template) RevisionHash(collisions int32) string {
	h := fnv.New32()
	h.Write(t.Raw)
	h.Write([]byte(strconv.FormatInt(int64(collisions), 10)))
	return rand.SafeEncodeString(fmt.Sprint(h.Sum32()))
}
