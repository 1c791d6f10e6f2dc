package cloneset

import (
	"cmp"
	"encoding/json"
	"hash/fnv"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
)

// deepHash mirrors DeepHashObject of JSON (k8s.io/kubernetes/pkg/util/hash,
// v1.24 to v1.32): the FNV-1a sum of the bytes as spew prints them, in decimal.
func deepHash(text []byte) uint64 {
	h := fnv.New32a()
	out := append(make([]byte, 0, 4*len(text)+16), "([]uint8)["...)
	for i, b := range text {
		if i > 0 {
			out = append(out, ' ')
		}
		out = strconv.AppendUint(out, uint64(b), 10)
	}
	h.Write(append(out, ']'))
	return uint64(h.Sum32())
}

func jsonOf(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // API types and maps of text
	}
	return text
}

// imageHash is HashContainer since Kubernetes 1.31, of which only the name and
// the image count (pickFieldsToHash, pkg/kubelet/container/helpers.go, v1.32.10).
func imageHash(container, image string) uint64 {
	return deepHash(jsonOf(map[string]string{"name": container, "image": image}))
}

// envFromMetadata are the variables of a container that read labels and
// annotations, with what the Pod has there (GetExpectHash of pkg/util/
// containermeta/env_hash.go, v1.9.1).
func envFromMetadata(c *corev1.Container, p *corev1.Pod) []corev1.EnvVar {
	var all []corev1.EnvVar
	for _, e := range c.Env {
		path, key, ok := subscripted(e)
		if !ok {
			continue
		}
		switch path {
		case "metadata.labels":
			all = append(all, corev1.EnvVar{Name: e.Name, Value: p.Labels[key]})
		case "metadata.annotations":
			all = append(all, corev1.EnvVar{Name: e.Name, Value: p.Annotations[key]})
		}
	}
	slices.SortStableFunc(all, func(a, b corev1.EnvVar) int { return cmp.Compare(a.Name, b.Name) })
	return all
}
