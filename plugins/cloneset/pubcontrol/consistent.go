package pubcontrol

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/inplace"
)

// The marks of sidecars that a SidecarSet injected (pkg/control/sidecarcontrol, v1.9.1).
const (
	sidecarSetsAnnotation  = "kruise.io/sidecarset-injected-list"
	SidecarStateAnnotation = "kruise.io/sidecarset-inplace-update-state"
	SidecarEnv             = "IS_INJECTED"
)

// consistent mirrors IsPodStateConsistent (pkg/control/pubcontrol/
// pub_control.go, v1.9.1): the containers run what the spec says. unknown says
// why that cannot be told.
func (c *Control) consistent(p *corev1.Pod) (yes bool, unknown string) {
	if !c.compares {
		return true, ""
	}
	all := true
	for _, c := range p.Spec.Containers {
		want, pinned := digestOf(c.Image)
		if !pinned {
			all = false
		} else if !runs(p, c.Name, want) {
			return false, ""
		}
	}
	if all {
		return true, ""
	}
	if !SidecarsUpdated(p) {
		return false, ""
	}
	return c.done.Completed(p)
}

var digested = regexp.MustCompile(`^([^@]+)@([A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})$`)

// digestOf is an image's repository and digest, for one that is pinned to a digest.
func digestOf(image string) (digest string, pinned bool) {
	parts := digested.FindStringSubmatch(image)
	if parts == nil {
		return "", false
	}
	repo := parts[1]
	if tag := strings.LastIndex(repo, ":"); tag > strings.LastIndex(repo, "/") {
		repo = repo[:tag]
	}
	return repo + "@" + parts[2], true
}

// runs reports whether the kubelet reports the container's image under that digest.
func runs(p *corev1.Pod, container, want string) bool {
	status := kruise.ContainerStatus(p, container)
	if status == nil {
		return false
	}
	id := status.ImageID
	if _, rest, found := strings.Cut(id, "://"); found {
		id = rest
	}
	got, pinned := digestOf(id)
	return pinned && got == want
}

// SidecarsUpdated mirrors IsSidecarContainerUpdateCompleted: no injected
// sidecar still runs the image from before its update in place.
func SidecarsUpdated(p *corev1.Pod) bool {
	images := injected(p)
	text, updated := p.Annotations[SidecarStateAnnotation]
	if sets := p.Annotations[sidecarSetsAnnotation]; sets == "" || len(images) == 0 || !updated {
		return true
	}
	var states map[string]*inplace.State
	if json.Unmarshal([]byte(text), &states) != nil {
		return false
	}
	last := map[string]string{}
	sets := strings.Split(p.Annotations[sidecarSetsAnnotation], ",")
	slices.Sort(sets)
	for _, set := range slices.Compact(sets) {
		if st := states[set]; st != nil {
			for name, c := range st.LastContainerStatuses {
				last[name] = c.ImageID
			}
		}
	}
	for _, c := range p.Status.ContainerStatuses {
		image, isSidecar := images[c.Name]
		if old, recorded := last[c.Name]; isSidecar && recorded && old == c.ImageID && image != c.Image {
			return false
		}
	}
	return true
}

// injected are the images of the sidecars that a SidecarSet put into the pod.
func injected(p *corev1.Pod) map[string]string {
	out := map[string]string{}
	for _, c := range p.Spec.Containers {
		i := slices.IndexFunc(c.Env, func(e corev1.EnvVar) bool { return e.Name == SidecarEnv })
		if i >= 0 && c.Env[i].Value == "true" {
			out[c.Name] = c.Image
		}
	}
	return out
}
