package inplace

import (
	"encoding/json"
	"maps"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/template"
)

// metadataPatch is how the labels and annotations of two templates differ, but for
// those that a container's environment reads: they change with the container. A
// template that has none left drops all that a Pod has, whoever put them there
// (defaultCalculateInPlaceUpdateSpec of pkg/util/inplaceupdate/
// inplace_update_defaults.go, v1.9.1).
func (c Change) metadataPatch(from, to *template.Template) []byte {
	patch, fields := map[string]any{}, map[string]any{}
	for field, of := range map[string]func(*corev1.PodTemplateSpec) map[string]string{
		"labels":      func(t *corev1.PodTemplateSpec) map[string]string { return t.Labels },
		"annotations": func(t *corev1.PodTemplateSpec) map[string]string { return t.Annotations },
	} {
		old, now := maps.Clone(of(&from.Typed)), maps.Clone(of(&to.Typed))
		for _, m := range c.reads {
			read := map[string]map[string]string{"labels": m.Labels, "annotations": m.Annotations}[field]
			for key := range read {
				delete(old, key)
				delete(now, key)
			}
		}
		if diff, differs := mapPatch(old, now); differs {
			fields[field] = diff
		}
	}
	if len(fields) > 0 {
		patch["metadata"] = fields
	}
	text, err := json.Marshal(patch)
	if err != nil {
		return nil // maps of text: they can be encoded
	}
	return text
}

// mapPatch is the patch that makes one map another, nil where that is empty.
func mapPatch(old, now map[string]string) (patch any, differs bool) {
	if len(now) == 0 {
		return nil, len(old) > 0
	}
	changed := map[string]any{}
	for key := range old {
		if _, kept := now[key]; !kept {
			changed[key] = nil
		}
	}
	for key, value := range now {
		if was, there := old[key]; !there || was != value {
			changed[key] = value
		}
	}
	return changed, len(changed) > 0
}

// patchMetadata makes a patch of labels and annotations.
func patchMetadata(p *corev1.Pod, text []byte) {
	var patch struct {
		Metadata map[string]map[string]*string `json:"metadata"`
	}
	if len(text) == 0 || json.Unmarshal(text, &patch) != nil {
		return
	}
	p.Labels = patchedMap(p.Labels, patch.Metadata, "labels")
	p.Annotations = patchedMap(p.Annotations, patch.Metadata, "annotations")
}

func patchedMap(now map[string]string, patch map[string]map[string]*string, field string) map[string]string {
	changes, patched := patch[field]
	if !patched {
		return now
	}
	if changes == nil {
		return map[string]string{}
	}
	for key, value := range changes {
		if value == nil {
			delete(now, key)
		} else {
			now = Added(now, map[string]string{key: *value})
		}
	}
	return now
}

// Added returns a map with more keys, which it makes where there is none.
func Added(to, more map[string]string) map[string]string {
	if to == nil {
		to = map[string]string{}
	}
	maps.Copy(to, more)
	return to
}
