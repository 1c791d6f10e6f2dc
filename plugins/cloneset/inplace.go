package cloneset

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/wording"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// change is how two templates differ, for an update in place.
type change struct {
	// forbidden is the first path that can't be changed in place, empty when
	// all can; op is what would be done there.
	forbidden, op string
	// images are the containers' new images, metadata and resources the paths
	// of the rest, restarts the containers that read changed metadata.
	images, metadata, resources, restarts []string
	// reads is the changed metadata that restarts each of those containers.
	reads map[string]metadata
}

func (c change) facts() []decision.Fact {
	return []decision.Fact{
		decision.F("path", c.forbidden), decision.F("op", c.op), decision.F("images", wording.List(c.images)),
		decision.F("metadata", wording.List(c.metadata)), decision.F("resources", wording.List(c.resources)), decision.F("restarts", wording.List(c.restarts)),
	}
}

var (
	imagePath    = regexp.MustCompile(`^/spec/containers/([0-9]+)/image$`)
	resourcePath = regexp.MustCompile(`^/spec/containers/[0-9]+/resources/(limits|requests)/(cpu|memory)$`)
)

// inPlaceChange mirrors defaultCalculateInPlaceUpdateSpec (pkg/util/
// inplaceupdate/inplace_update_defaults.go, v1.9.1).
func (s *sync) inPlaceChange(from, to *revision) change {
	switch {
	case from == nil || from.template.Fields == nil:
		return change{forbidden: "revision", op: "unknown"}
	case to.template.Fields == nil:
		return change{forbidden: "template", op: "unknown"}
	}
	if cached, ok := s.changes[from.name]; ok {
		return cached
	}
	c := s.compareTemplates(from, to)
	if s.changes == nil {
		s.changes = map[string]change{}
	}
	s.changes[from.name] = c
	return c
}

func (s *sync) compareTemplates(from, to *revision) change {
	if s.claimsForbid(from, to) {
		return change{forbidden: "volumeClaimTemplates", op: "replace"}
	}
	var c change
	operations := difference(from.template.Fields, to.template.Fields)
	for _, op := range operations {
		if !s.sort(&c, op, from) {
			return change{forbidden: "/spec/template" + op.path, op: op.kind}
		}
	}
	if len(c.resources) > 0 && qos(&from.template.Typed.Spec) != qos(&to.template.Typed.Spec) {
		return change{forbidden: "the pod's QoS class", op: "replace"}
	}
	if s.behaviour.envFromMetadata {
		c.restarts, c.reads = readers(to.template.Typed.Spec.Containers, operations)
	}
	return c
}

// sort puts one difference where it belongs; false for one that can't be made
// in place.
func (s *sync) sort(c *change, op operation, from *revision) bool {
	switch {
	case strings.HasPrefix(op.path, "/metadata/"):
		c.metadata = append(c.metadata, op.path)
	case op.kind == "replace" && imagePath.MatchString(op.path):
		i, _ := strconv.Atoi(imagePath.FindStringSubmatch(op.path)[1]) // digits, by the pattern
		containers := from.template.Typed.Spec.Containers
		image, ok := op.value.(string)
		if i >= len(containers) || !ok {
			return false
		}
		c.images = append(c.images, containers[i].Name+"="+image)
	case s.behaviour.vertical && op.kind == "replace" && resourcePath.MatchString(op.path):
		c.resources = append(c.resources, op.path)
	default:
		return false
	}
	return true
}

// claimsForbid: with gate RecreatePodWhenChangeVCTInCloneSetGate, a change of
// the volume claim templates, told by their hashes, needs new pods.
func (s *sync) claimsForbid(from, to *revision) bool {
	return s.behaviour.recreateOnClaims && s.set.Spec.UpdateStrategy.Type != api.InPlaceOnly &&
		from.hasClaimHash && to.hasClaimHash && from.claimHash != to.claimHash
}

// leavesService mirrors defaultCheckPodNeedsBeUnready (pkg/util/inplaceupdate/
// inplace_update_defaults.go, v1.9.1): an update closes the pod's readiness gate,
// but one of resources alone only if it restarts a container.
func (s *sync) leavesService(p *corev1.Pod, c change, to *revision) bool {
	resourcesAlone := s.behaviour.vertical && len(c.resources) > 0 && len(c.images) == 0 && len(c.restarts) == 0
	return kruise.HasGate(p, kruise.InPlaceReady) && (!resourcesAlone || resizeRestarts(p, c.resized(to)))
}

// resized are the resources that change, by container.
func (c change) resized(to *revision) map[string][]corev1.ResourceName {
	out := map[string][]corev1.ResourceName{}
	for _, path := range c.resources {
		if name, ok := containerAt(to, path); ok {
			out[name] = append(out[name], corev1.ResourceName(path[strings.LastIndexByte(path, '/')+1:]))
		}
	}
	return out
}

// resizeRestarts tells whether a container restarts for its new resources.
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

// keepsVolumes reports whether pods are updated in place whose claims are of
// other templates: without gate RecreatePodWhenChangeVCTInCloneSetGate, and with
// InPlaceOnly, a change of these recreates no pod (kruise#1536).
func (s *sync) keepsVolumes() bool {
	to := s.revisions.update
	return slices.ContainsFunc(s.d.Actions, func(a decision.Action) bool {
		m := s.member(a.Object.Name)
		if a.Verb != decision.UpdateInPlace || m == nil {
			return false
		}
		from := s.revisions.of(m)
		return from != nil && from.hasClaimHash && to.hasClaimHash && from.claimHash != to.claimHash
	})
}
