package cloneset

import (
	"encoding/json"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// updateOf is the record of a pod's last update in place.
func updateOf(p *corev1.Pod) (st inPlaceState, ok bool) {
	text := annotation(p, updateAnnotation, oldUpdate)
	return st, text != "" && json.Unmarshal([]byte(text), &st) == nil
}

func annotate(p *corev1.Pod, key string, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		return // maps and structs of text: they can be encoded
	}
	if p.Annotations == nil {
		p.Annotations = map[string]string{}
	}
	p.Annotations[key] = string(text)
}

// gracePeriod is the annotation of a pod whose containers are changed later.
type gracePeriod struct {
	Revision     string `json:"revision"`
	GraceSeconds int32  `json:"graceSeconds"`
	containerUpdate
}

// updateInWorld starts an update in place, or goes on with it.
func (s *sync) updateInWorld(w *cluster.Model, p *corev1.Pod, a decision.Action) {
	switch a.Rule {
	case GraceOver:
		finishUpdate(w, p)
	case NextBatch:
		st, _ := updateOf(p)
		changeContainers(w, p, st.next())
	default:
		s.startUpdate(w, p, a)
	}
}

// startUpdate mirrors updatePodInPlace (pkg/util/inplaceupdate/
// inplace_update.go, v1.9.1): the pod is marked, taken out of service, and its
// containers are changed, at once or after the grace period.
func (s *sync) startUpdate(w *cluster.Model, p *corev1.Pod, a decision.Action) {
	target := s.revisionNamed(a.Facts.Str("revision"))
	from := s.revisionNamed(p.Labels[revisionLabel])
	if target == nil || from == nil {
		return
	}
	change := s.inPlaceChange(from, target)
	s.revise(p, target)
	p.Labels[stateLabel] = updating
	restate(p, from, target)
	annotate(p, updateAnnotation, inPlaceState{
		Revision: target.name, UpdateTimestamp: w.Stamp(),
		UpdateEnvFromMetadata: len(change.restarts) > 0, UpdateResources: len(change.resources) > 0,
	})
	if s.leavesService(p, change, target) {
		cluster.SetPodCondition(w, p, inPlaceReady, false)
	}
	u := change.containers(target)
	switch seconds := int32(s.grace().Seconds()); {
	case len(u.names()) == 0:
	case seconds > 0:
		annotate(p, graceAnnotation, gracePeriod{target.name, seconds, u})
	default:
		changeContainers(w, p, u)
	}
}

// finishUpdate changes the containers when the grace period is over.
func finishUpdate(w *cluster.Model, p *corev1.Pod) {
	var g gracePeriod
	text := annotation(p, graceAnnotation, oldGrace)
	delete(p.Annotations, graceAnnotation)
	delete(p.Annotations, oldGrace)
	if json.Unmarshal([]byte(text), &g) == nil {
		changeContainers(w, p, g.containerUpdate)
	}
}

// changeContainers sets the new images of the first batch and leaves the others
// for later. The kubelet restarts the containers; they are up again after the
// batch's part of the time that pods take.
func changeContainers(w *cluster.Model, p *corev1.Pod, u containerUpdate) {
	st, _ := updateOf(p)
	u = u.of(p)
	now := u.firstBatch(p)
	later := u.without(now)
	if st.LastContainerStatuses == nil {
		st.LastContainerStatuses = map[string]lastStatus{}
	}
	for i := range p.Spec.Containers {
		c := &p.Spec.Containers[i]
		image, changes := u.ContainerImages[c.Name]
		if !changes || !slices.Contains(now, c.Name) {
			continue
		}
		c.Image = image
		if _, recorded := st.LastContainerStatuses[c.Name]; !recorded {
			st.LastContainerStatuses[c.Name] = lastStatus{imageID(p, c.Name)}
		}
	}
	st.UpdateEnvFromMetadata, st.UpdateResources = hasAny(u.ContainerRefMetadata, now), hasAny(u.ContainerResources, now)
	st.NextContainerImages, st.NextContainerRefMetadata, st.NextContainerResources = later.ContainerImages, later.ContainerRefMetadata, later.ContainerResources
	st.PreCheckBeforeNext = nil
	if st.moreBatches() {
		st.PreCheckBeforeNext = &preCheck{now}
	}
	st.ContainerBatchesRecord = append(st.ContainerBatchesRecord, batchRecord{w.Stamp(), now})
	annotate(p, updateAnnotation, st)
	cluster.SetPodCondition(w, p, corev1.ContainersReady, false)
	cluster.LaterPod(w, p, st.part(w, p), func(p *corev1.Pod) { containersUp(w, p) })
}

// part is the time that one batch takes.
func (st *inPlaceState) part(w *cluster.Model, p *corev1.Pod) time.Duration {
	n := len(st.ContainerBatchesRecord) + len(st.next().batches(p))
	if n > 1 {
		w.Note(decision.Ruled(cluster.LaunchBatches))
	}
	return w.ReadyAfter() / time.Duration(max(1, n))
}

func hasAny[T any](m map[string]T, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { _, ok := m[name]; return ok })
}

// containersUp is what the kubelet, and the kruise-daemon where it is asked,
// report of a pod whose changed containers run.
func containersUp(w *cluster.Model, p *corev1.Pod) {
	if st, ok := updateOf(p); ok {
		for _, name := range st.underWay() {
			report(p, name)
		}
		st.UpdateEnvFromMetadata, st.UpdateResources = false, false
		annotate(p, updateAnnotation, st)
	}
	cluster.PodUp(w, p)
}

// underWay are the containers of the latest batch.
func (st *inPlaceState) underWay() []string {
	if n := len(st.ContainerBatchesRecord); n > 0 {
		return st.ContainerBatchesRecord[n-1].Containers
	}
	return sortedKeys(st.LastContainerStatuses)
}

// report makes a container's status that of its image.
func report(p *corev1.Pod, container string) {
	i := slices.IndexFunc(p.Spec.Containers, func(c corev1.Container) bool { return c.Name == container })
	if i < 0 {
		return
	}
	image := p.Spec.Containers[i].Image
	now := corev1.ContainerStatus{Name: container, Image: image, ImageID: "new:" + image, Ready: true}
	at := slices.IndexFunc(p.Status.ContainerStatuses, func(c corev1.ContainerStatus) bool { return c.Name == container })
	if at < 0 {
		p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, now)
		return
	}
	now.RestartCount = p.Status.ContainerStatuses[at].RestartCount + 1
	p.Status.ContainerStatuses[at] = now
}

func imageID(p *corev1.Pod, container string) string {
	for _, c := range p.Status.ContainerStatuses {
		if c.Name == container {
			return c.ImageID
		}
	}
	return ""
}

// restate brings the template's labels and annotations from one revision to
// another; what others put there stays.
func restate(p *corev1.Pod, from, to *revision) {
	p.Labels = replaced(p.Labels, from.template.typed.Labels, to.template.typed.Labels)
	p.Annotations = replaced(p.Annotations, from.template.typed.Annotations, to.template.typed.Annotations)
}

func replaced(now, from, to map[string]string) map[string]string {
	for key := range from {
		if _, kept := to[key]; !kept {
			delete(now, key)
		}
	}
	for key, value := range to {
		if from[key] != value {
			if now == nil {
				now = map[string]string{}
			}
			now[key] = value
		}
	}
	return now
}

// revisionNamed is the revision of a name or of a hash alone.
func (s *sync) revisionNamed(name string) *revision {
	for _, r := range append([]*revision{s.revisions.update, s.revisions.current}, s.revisions.listed...) {
		if r != nil && (r.name == name || short(r.name) == short(name)) {
			return r
		}
	}
	return nil
}
