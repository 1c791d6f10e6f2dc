package states

import (
	"fmt"
	"hash/fnv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/dump"
)

// report writes what kruise-daemon says of a pod's containers: often that they
// run as the spec wants, in the words of an old kubelet or of a new one.
func (s *scene) report(p *corev1.Pod) {
	all, agrees := []any{}, s.chance(60)
	for i := range p.Spec.Containers {
		c := &p.Spec.Containers[i]
		if s.chance(4) {
			continue
		}
		all = append(all, s.reported(p, c, agrees))
		if s.chance(3) {
			all = append(all, s.reported(p, c, false))
		}
	}
	p.Annotations[runtimeAnnotation] = mostly(s.draw, string(encode(map[string]any{"containers": all})), 4, "", "{", "null")
	if s.chance(10) { // a field that came after all modelled releases
		p.Spec.Containers[0].RestartPolicyRules = []corev1.ContainerRestartRule{{Action: "Restart"}}
	}
}

func (s *scene) reported(p *corev1.Pod, c *corev1.Container, agrees bool) any {
	percent := 60
	if agrees {
		percent = 3
	}
	bare := c.DeepCopy()
	bare.Resources = corev1.ResourceRequirements{}
	image := kubeletHash(map[string]string{"name": c.Name, "image": c.Image})
	return map[string]any{
		"name": c.Name, "containerID": mostly(s.draw, "c-"+c.Name, percent/3, "c-before"),
		"hashes": map[string]any{
			"plainHash":                    mostly(s.draw, pick(s.draw, kubeletHash(c), image), percent, 1),
			"plainHashWithoutResources":    mostly(s.draw, kubeletHash(bare), percent, 1, 0),
			"extractedEnvFromMetadataHash": mostly(s.draw, kubeletHash(environment(p, c)), percent, 1),
		},
	}
}

// environment is what a container's variables read of its pod's metadata.
func environment(p *corev1.Pod, c *corev1.Container) []corev1.EnvVar {
	values := map[string]string{
		"metadata.annotations['note']": p.Annotations["note"], "metadata.annotations['alone']": p.Annotations["alone"], "metadata.labels['tier']": p.Labels["tier"],
	}
	var read []corev1.EnvVar
	for _, name := range []string{"ALONE", "NOTE", "TIER"} { // sorted
		for _, e := range c.Env {
			if e.Name == name {
				read = append(read, corev1.EnvVar{Name: name, Value: values[e.ValueFrom.FieldRef.FieldPath]})
			}
		}
	}
	return read
}

func kubeletHash(v any) int {
	h := fnv.New32a()
	fmt.Fprint(h, dump.ForHash([]byte(encode(v))))
	return int(h.Sum32())
}
