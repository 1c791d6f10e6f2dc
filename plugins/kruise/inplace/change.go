package inplace

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/template"
)

// Change is how two templates differ, for an update in place.
type Change struct {
	// Forbidden is the first path that can't be changed in place, empty when
	// all can; Op is what would be done there.
	Forbidden, Op string
	// images are the containers' new images, metadata and resources the paths
	// of the rest, restarts the containers that read changed metadata.
	images, metadata, resources, restarts []string
	// reads is the changed metadata that restarts each of those containers.
	reads map[string]Metadata
}

// Facts returns the change as facts of a rule.
func (c Change) Facts() []decision.Fact {
	return []decision.Fact{
		decision.F(KeyPath, c.Forbidden), decision.F(decision.KeyOp, c.Op), decision.F(KeyImages, format.List(c.images)),
		decision.F(KeyMetadata, format.List(c.metadata)), decision.F(KeyResources, format.List(c.resources)), decision.F(KeyRestarts, format.List(c.restarts)),
	}
}

// ImagePath matches the path of a container's image in a template.
var (
	ImagePath    = regexp.MustCompile(`^/spec/containers/([0-9]+)/image$`)
	resourcePath = regexp.MustCompile(`^/spec/containers/[0-9]+/resources/(limits|requests)/(cpu|memory)$`)
)

// Compare mirrors defaultCalculateInPlaceUpdateSpec (pkg/util/inplaceupdate/
// inplace_update_defaults.go, v1.9.1).
func (b Release) Compare(from, to *template.Template) Change {
	switch {
	case from == nil || from.Fields == nil:
		return Change{Forbidden: "revision", Op: "unknown"}
	case to.Fields == nil:
		return Change{Forbidden: "template", Op: "unknown"}
	}
	var c Change
	operations := Difference(from.Fields, to.Fields)
	for _, op := range operations {
		if !b.sort(&c, op, from) {
			return Change{Forbidden: "/spec/template" + op.Path, Op: op.Kind}
		}
	}
	if c.Resizes() && qos(&from.Typed.Spec) != qos(&to.Typed.Spec) {
		return Change{Forbidden: "the Pod's QoS class", Op: "replace"}
	}
	if b.envFromMetadata {
		c.restarts, c.reads = readers(to.Typed.Spec.Containers, operations)
	}
	return c
}

// sort puts one difference where it belongs; false for one that can't be made
// in place.
func (b Release) sort(c *Change, op Operation, from *template.Template) bool {
	switch {
	case strings.HasPrefix(op.Path, "/metadata/"):
		c.metadata = append(c.metadata, op.Path)
	case op.Kind == "replace" && ImagePath.MatchString(op.Path):
		i, _ := strconv.Atoi(ImagePath.FindStringSubmatch(op.Path)[1]) // digits, by the pattern
		containers := from.Typed.Spec.Containers
		image, ok := op.value.(string)
		if i >= len(containers) || !ok {
			return false
		}
		c.images = append(c.images, containers[i].Name+"="+image)
	case b.Vertical && op.Kind == "replace" && resourcePath.MatchString(op.Path):
		c.resources = append(c.resources, op.Path)
	default:
		return false
	}
	return true
}

// LeavesService mirrors defaultCheckPodNeedsBeUnready (pkg/util/inplaceupdate/
// inplace_update_defaults.go, v1.9.1): an update closes the pod's readiness gate,
// but one of resources alone only if it restarts a container.
func (b Release) LeavesService(p *corev1.Pod, c Change, to *template.Template) bool {
	resourcesAlone := b.Vertical && c.Resizes() && len(c.images) == 0 && len(c.restarts) == 0
	return kruise.HasGate(p, kruise.InPlaceReady) && (!resourcesAlone || resizeRestarts(p, c.resized(to)))
}

// Resizes reports whether resources change.
func (c Change) Resizes() bool { return len(c.resources) > 0 }

// resized are the resources that change, by container.
func (c Change) resized(to *template.Template) map[string][]corev1.ResourceName {
	out := map[string][]corev1.ResourceName{}
	for _, path := range c.resources {
		if name, ok := containerAt(to, path); ok {
			out[name] = append(out[name], corev1.ResourceName(path[strings.LastIndexByte(path, '/')+1:]))
		}
	}
	return out
}

// resizeRestarts reports whether a container restarts for its new resources.
func resizeRestarts(p *corev1.Pod, resized map[string][]corev1.ResourceName) bool {
	for _, c := range p.Spec.Containers {
		for _, policy := range c.ResizePolicy {
			if policy.RestartPolicy == corev1.RestartContainer && slices.Contains(resized[c.Name], policy.ResourceName) {
				return true
			}
		}
	}
	return false
}
