package clusterdsl

import (
	"encoding/json"
	"fmt"
	"hash/fnv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/dump"
)

// report writes what kruise-daemon would of a pod's containers: their hashes as
// kubelets up to 1.30 (spec), since 1.31 (image) or of another spec (other) make
// them, and those of an environment in which variable R is env. Without a word,
// it knows of no container.
func report(p *corev1.Pod, plain, env string) {
	all := []any{}
	for i := range p.Spec.Containers {
		c := &p.Spec.Containers[i]
		hashes := map[string]uint32{"plainHash": 1}
		switch plain {
		case "":
			continue
		case "spec":
			hashes["plainHash"] = hash(c)
		case "image":
			hashes["plainHash"] = hash(map[string]string{"name": c.Name, "image": c.Image})
		}
		var read []corev1.EnvVar
		if len(c.Env) > 0 && c.Env[0].ValueFrom != nil {
			read = []corev1.EnvVar{{Name: c.Env[0].Name, Value: env}}
		}
		hashes["extractedEnvFromMetadataHash"] = hash(read)
		without := c.DeepCopy()
		without.Resources = corev1.ResourceRequirements{}
		hashes["plainHashWithoutResources"] = hash(without)
		all = append(all, map[string]any{"name": c.Name, "containerID": "", "hashes": hashes})
	}
	text, err := json.Marshal(map[string]any{"containers": all})
	if err != nil {
		panic(err)
	}
	if p.Annotations == nil {
		p.Annotations = map[string]string{}
	}
	p.Annotations["apps.kruise.io/runtime-containers-meta"] = string(text)
}

// hash is how a kubelet hashes a value.
func hash(v any) uint32 {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	h := fnv.New32a()
	fmt.Fprint(h, dump.ForHash(text))
	return h.Sum32()
}
