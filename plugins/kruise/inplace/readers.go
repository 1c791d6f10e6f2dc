package inplace

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Metadata are labels and annotations that a container's environment reads.
type Metadata struct {
	Labels      map[string]string `json:"labels,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// readers are the containers whose environment reads a changed label or
// annotation, in the template's order, and what each of them reads: they restart
// for it. A key that is removed restarts none (defaultCalculateInPlaceUpdateSpec,
// pkg/util/inplaceupdate/inplace_update_defaults.go, v1.9.1).
func readers(containers []corev1.Container, operations []Operation) (names []string, reads map[string]Metadata) {
	reads = map[string]Metadata{}
	for i := range containers {
		c, m := &containers[i], Metadata{Labels: map[string]string{}, Annotations: map[string]string{}}
		for _, op := range operations {
			m.take(c, op)
		}
		if len(m.Labels)+len(m.Annotations) > 0 {
			names, reads[c.Name] = append(names, c.Name), m
		}
	}
	return names, reads
}

// take notes a label or an annotation that is new or replaced and that a
// container's environment reads. What is removed has no value.
func (m *Metadata) take(c *corev1.Container, op Operation) {
	parts := strings.SplitN(op.Path, "/", 4)
	value, isText := op.value.(string)
	if len(parts) != 4 || parts[1] != "metadata" || !isText {
		return
	}
	key := strings.NewReplacer("~1", "/", "~0", "~").Replace(parts[3])
	values := map[string]map[string]string{"labels": m.Labels, "annotations": m.Annotations}[parts[2]]
	if values != nil && readsMetadata(c, "metadata."+parts[2], key) {
		values[key] = value
	}
}

// The environment variables that Kruise's SidecarSets change themselves: they
// do not count as read (excludeEnvs of pkg/util/containermeta/env_hash.go,
// v1.9.1).
var sidecarSetEnv = []string{"SIDECARSET_VERSION", "SIDECARSET_VERSION_ALT"}

// readsMetadata mirrors IsContainerReferenceToMeta (pkg/util/containermeta/
// env_hash.go, v1.9.1).
func readsMetadata(c *corev1.Container, field, key string) bool {
	return slices.ContainsFunc(c.Env, func(e corev1.EnvVar) bool {
		path, subscript, ok := subscripted(e)
		return ok && path == field && subscript == key
	})
}

// subscripted is the field and the key that a variable reads, such as
// metadata.labels and app.
func subscripted(e corev1.EnvVar) (path, key string, ok bool) {
	if e.Value != "" || e.ValueFrom == nil || e.ValueFrom.FieldRef == nil || slices.Contains(sidecarSetEnv, e.Name) {
		return "", "", false
	}
	text, closed := strings.CutSuffix(e.ValueFrom.FieldRef.FieldPath, "']")
	path, key, opened := strings.Cut(text, "['")
	return path, key, closed && opened && path != ""
}
