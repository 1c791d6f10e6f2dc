package inplace

import (
	"encoding/json"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/redact"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/template"
)

// runtimeMeta is what kruise-daemon reports of a Pod's containers
// (RuntimeContainerMetaSet of apis/apps/pub/inplace_update.go, v1.8.3).
type runtimeMeta struct {
	Containers []containerMeta `json:"containers"`
}

type containerMeta struct {
	Name        string `json:"name"`
	ContainerID string `json:"containerID"`
	Hashes      struct {
		Plain            uint64 `json:"plainHash"`
		WithoutResources uint64 `json:"plainHashWithoutResources"`
		Env              uint64 `json:"extractedEnvFromMetadataHash"`
	} `json:"hashes"`
}

// runtimeMetaOf is nil for a Pod of which nothing is reported. unread: the
// report was taken out of a saved file.
func runtimeMetaOf(p *corev1.Pod) (meta *runtimeMeta, unread bool, err error) {
	text, reported := p.Annotations[kruise.RuntimeAnnotation]
	if !reported {
		return nil, false, nil
	}
	if redact.StandIn(text) {
		return nil, true, nil
	}
	meta = &runtimeMeta{}
	return meta, false, json.Unmarshal([]byte(text), meta)
}

// verdict is whether all containers run as the spec says.
type verdict int

// The verdicts; unsure where a hash is of text that a saved file leaves out.
const (
	no verdict = iota
	unsure
	yes
)

// consistent mirrors checkAllContainersHashConsistent (pkg/util/inplaceupdate/
// inplace_update_defaults.go, v1.9.1); same judges one container.
func (m *runtimeMeta) consistent(p *corev1.Pod, same func(*corev1.Container, *corev1.ContainerStatus, *containerMeta) verdict) verdict {
	all := yes
	for i := range p.Spec.Containers {
		c := &p.Spec.Containers[i]
		status, meta := kruise.ContainerStatus(p, c.Name), m.last(c.Name)
		if status == nil || meta == nil || meta.ContainerID != status.ContainerID {
			return no
		}
		all = min(all, same(c, status, meta))
	}
	return all
}

// last is the last report of a container: upstream goes on to look behind one.
func (m *runtimeMeta) last(container string) (found *containerMeta) {
	for i := range m.Containers {
		if m.Containers[i].Name == container {
			found = &m.Containers[i]
		}
	}
	return found
}

// judge compares the hash of JSON with a reported one.
func judge(text []byte, reported uint64) verdict {
	switch {
	case template.Hash(text) == reported:
		return yes
	case strings.Contains(string(text), redact.Quoted):
		return unsure
	default:
		return no
	}
}

// sameEnvironment reports whether a container has the values of the labels and
// annotations that its environment reads.
func sameEnvironment(p *corev1.Pod) func(*corev1.Container, *corev1.ContainerStatus, *containerMeta) verdict {
	return func(c *corev1.Container, _ *corev1.ContainerStatus, m *containerMeta) verdict {
		return judge(template.JSON(envFromMetadata(c, p)), m.Hashes.Env)
	}
}

// sameContainer compares what the kubelet hashes of a container: all of it, and
// since Kruise 1.9 also the name and the image alone, as kubelets do from 1.31 on.
func (b Release) sameContainer(c *corev1.Container, status *corev1.ContainerStatus, m *containerMeta) verdict {
	reported := m.Hashes.Plain
	if b.hashesImages && imageHash(c.Name, c.Image) == reported {
		return yes
	}
	v := judge(template.JSON(template.KnownContainer(c, b.libraries)), reported)
	if v == unsure && (imageHash(c.Name, c.Image) == reported || imageHash(c.Name, status.Image) == reported) {
		return no // of the other kind, or of the image that runs
	}
	return v
}

// sameButResources leaves the resources out, as Kruise 1.8 does where they change.
func (b Release) sameButResources(c *corev1.Container, _ *corev1.ContainerStatus, m *containerMeta) verdict {
	c = template.KnownContainer(c, b.libraries)
	c.Resources = corev1.ResourceRequirements{}
	return judge(template.JSON(c), m.Hashes.WithoutResources)
}
