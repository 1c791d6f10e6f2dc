package inplace

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/template"
)

// The words of a template that make containers start in batches (apis/apps/pub/
// launch_priority.go, v1.9.1).
const (
	launchAnnotation = "apps.kruise.io/container-launch-priority"
	launchOrdered    = "Ordered"
	LaunchEnv        = "KRUISE_CONTAINER_PRIORITY"
)

// Batches returns the containers of an update that are changed now, and those of later
// batches.
func (b Release) Batches(p *corev1.Pod, u ContainerUpdate) (now, later []string) {
	if u = u.of(p); !b.resourceBatches {
		u.ContainerResources = nil
	}
	now = u.FirstBatch(p)
	left := u.Without(now)
	if !b.Vertical { // they have their turn, and are forgotten
		left.ContainerResources = nil
	}
	return now, left.Names()
}

// GiveLaunchPriorities mirrors containerLaunchPriorityInitialization (pkg/
// webhook/pod/mutating, v1.9.1), which sees each pod that is created.
func GiveLaunchPriorities(p *corev1.Pod) {
	containers := p.Spec.Containers
	if len(containers) == 1 {
		return
	}
	priorities, differ := make([]int, len(containers)), false
	for i := range containers {
		if p.Annotations[launchAnnotation] == launchOrdered {
			priorities[i] = -i
		} else {
			priorities[i] = asked(&containers[i])
		}
		differ = differ || priorities[i] != priorities[0]
	}
	if !differ {
		return
	}
	for i := range containers {
		cluster.GivePriority(&containers[i], p.Name, priorities[i])
	}
}

func asked(c *corev1.Container) int {
	for _, e := range c.Env {
		if n, err := strconv.Atoi(e.Value); e.Name == LaunchEnv && err == nil {
			return n
		}
	}
	return 0
}

// ContainerUpdate is what an update in place does to containers, by their names
// (UpdateSpec of pkg/util/inplaceupdate/inplace_update.go, v1.9.1).
type ContainerUpdate struct {
	ContainerImages      map[string]string          `json:"containerImages,omitempty"`
	ContainerRefMetadata map[string]Metadata        `json:"containerRefMetadata,omitempty"`
	ContainerResources   map[string]json.RawMessage `json:"containerResources,omitempty"`
}

// Names returns the containers that change, in order.
func (u ContainerUpdate) Names() []string {
	names := append(append(slices.Sorted(maps.Keys(u.ContainerImages)), slices.Sorted(maps.Keys(u.ContainerRefMetadata))...), slices.Sorted(maps.Keys(u.ContainerResources))...)
	slices.Sort(names)
	return slices.Compact(names)
}

// of is what an update finds in a pod: images and resources of containers that
// the pod has.
func (u ContainerUpdate) of(p *corev1.Pod) ContainerUpdate {
	strange := func(name string) bool {
		return !slices.ContainsFunc(p.Spec.Containers, func(c corev1.Container) bool { return c.Name == name })
	}
	found := u.Without(nil)
	maps.DeleteFunc(found.ContainerImages, func(n, _ string) bool { return strange(n) })
	maps.DeleteFunc(found.ContainerResources, func(n string, _ json.RawMessage) bool { return strange(n) })
	return found
}

// Without returns what is left when some containers are done.
func (u ContainerUpdate) Without(done []string) ContainerUpdate {
	gone := func(name string) bool { return slices.Contains(done, name) }
	left := ContainerUpdate{maps.Clone(u.ContainerImages), maps.Clone(u.ContainerRefMetadata), maps.Clone(u.ContainerResources)}
	maps.DeleteFunc(left.ContainerImages, func(n, _ string) bool { return gone(n) })
	maps.DeleteFunc(left.ContainerRefMetadata, func(n string, _ Metadata) bool { return gone(n) })
	maps.DeleteFunc(left.ContainerResources, func(n string, _ json.RawMessage) bool { return gone(n) })
	return left
}

// FirstBatch mirrors defaultPatchUpdateSpecToPod (pkg/util/inplaceupdate/
// inplace_update_defaults.go, v1.9.1): containers without a launch priority, those
// of the highest, and those that read the same changed metadata.
func (u ContainerUpdate) FirstBatch(p *corev1.Pod) []string {
	var now, highest []string
	names, top := u.Names(), 0
	for i := range p.Spec.Containers {
		c := &p.Spec.Containers[i]
		if !slices.Contains(names, c.Name) {
			continue
		}
		switch n, ok := cluster.LaunchPriority(c); {
		case !ok:
			now = append(now, c.Name)
		case highest == nil || n > top:
			highest, top = []string{c.Name}, n
		case n == top:
			highest = append(highest, c.Name)
		}
	}
	now = u.withSharers(append(now, highest...))
	slices.Sort(now)
	return now
}

// withSharers adds containers that read metadata which those of now read, too.
func (u ContainerUpdate) withSharers(now []string) []string {
	for added := true; added; {
		added = false
		for _, name := range slices.Sorted(maps.Keys(u.ContainerRefMetadata)) {
			if !slices.Contains(now, name) && slices.ContainsFunc(now, func(n string) bool { return u.share(n, name) }) {
				now, added = append(now, name), true
			}
		}
	}
	return now
}

func (u ContainerUpdate) share(a, b string) bool {
	x, y := u.ContainerRefMetadata[a], u.ContainerRefMetadata[b]
	common := func(l, m map[string]string) bool {
		return slices.ContainsFunc(slices.Sorted(maps.Keys(l)), func(k string) bool { _, ok := m[k]; return ok })
	}
	return common(x.Labels, y.Labels) || common(x.Annotations, y.Annotations)
}

// batches are the batches in which a pod's containers are updated. One of
// resources alone never begins, nor does any behind it (updateNextBatch).
func (u ContainerUpdate) batches(p *corev1.Pod) [][]string {
	var all [][]string
	for len(u.ContainerImages)+len(u.ContainerRefMetadata) > 0 || len(all) == 0 && len(u.ContainerResources) > 0 {
		now := u.FirstBatch(p)
		if len(now) == 0 { // of containers that the pod has not
			break
		}
		all = append(all, now)
		u = u.Without(now)
	}
	return all
}

var resourceContainer = regexp.MustCompile(`^/spec/containers/([0-9]+)/`)

// Containers returns the change of a template as an update of a Pod's containers.
func (c Change) Containers(to *template.Template) ContainerUpdate {
	u := ContainerUpdate{ContainerImages: map[string]string{}, ContainerRefMetadata: map[string]Metadata{}, ContainerResources: map[string]json.RawMessage{}}
	for _, image := range c.images {
		name, text, _ := strings.Cut(image, "=")
		u.ContainerImages[name] = text
	}
	maps.Copy(u.ContainerRefMetadata, c.reads)
	for name, resized := range c.resizes(to) {
		text, err := json.Marshal(resized)
		if err == nil { // quantities: they can be encoded
			u.ContainerResources[name] = text
		}
	}
	return u
}

// resizes are the limits and requests that change, by container
// (UpdateInplaceUpdateMetadata of pkg/util/inplaceupdate/inplace_update_vertical.go,
// v1.9.1).
func (c Change) resizes(to *template.Template) map[string]corev1.ResourceRequirements {
	all := map[string]corev1.ResourceRequirements{}
	for _, path := range c.resources {
		words := strings.Split(path, "/") // of resourcePath
		name, ok := containerAt(to, path)
		if !ok {
			continue
		}
		i, _ := strconv.Atoi(words[3])
		now := to.Typed.Spec.Containers[i].Resources
		if _, made := all[name]; !made {
			all[name] = corev1.ResourceRequirements{Limits: corev1.ResourceList{}, Requests: corev1.ResourceList{}}
		}
		what := corev1.ResourceName(words[6])
		if words[5] == "limits" {
			all[name].Limits[what] = now.Limits[what]
		} else {
			all[name].Requests[what] = now.Requests[what]
		}
	}
	return all
}

// containerAt is the container that a path of a template's difference leads to.
func containerAt(to *template.Template, path string) (string, bool) {
	found := resourceContainer.FindStringSubmatch(path)
	if found == nil {
		return "", false
	}
	i, err := strconv.Atoi(found[1])
	if err != nil || i >= len(to.Typed.Spec.Containers) {
		return "", false
	}
	return to.Typed.Spec.Containers[i].Name, true
}
