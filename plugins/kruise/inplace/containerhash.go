package inplace

import (
	"sort"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/template"
)

// imageHash is HashContainer since Kubernetes 1.31, of which only the name and
// the image count (pickFieldsToHash, pkg/kubelet/container/helpers.go, v1.32.10).
func imageHash(container, image string) uint64 {
	return template.Hash(template.JSON(map[string]string{"name": container, "image": image}))
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
	sort.SliceStable(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	return all
}
