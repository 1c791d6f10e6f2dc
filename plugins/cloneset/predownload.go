package cloneset

import (
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

const (
	pulledLabel        = "apps.kruise.io/pre-predownload-created"
	unpulledLabel      = "apps.kruise.io/image-predownload-ignored"
	minReadyAnnotation = "apps.kruise.io/image-predownload-min-updated-ready-pods"
	// fewest is the number of replicas up to which nothing is downloaded ahead.
	fewest = 3
)

// preDownload tells which ImagePullJobs the sync makes (cloneset_controller.go
// doReconcile and cloneset_predownload_image.go, v1.9.1). They change nothing
// of what the sync does to pods.
func (s *sync) preDownload() {
	if !s.kruise.On(profile.PreDownloadImage) || s.limits.SameRevision || s.revisions.Unread {
		return
	}
	if why := s.noPreDownload(); why != "" {
		s.limit(rules.ImagesNotPreDownloaded, decision.F("why", why))
		return
	}
	var jobs []string
	for _, c := range newImages(s.revisions.Current.Template.Typed.Spec.Containers, s.revisions.Update.Template.Typed.Spec.Containers) {
		jobs = append(jobs, fmt.Sprintf("%s-%s for %s", s.revisions.Update.Name, c.Name, c.Image))
	}
	s.limit(rules.ImagesPreDownloaded, decision.F("jobs", strings.Join(jobs, ", ")))
}

// noPreDownload is why no job is made, in the order in which it is looked at.
func (s *sync) noPreDownload() string {
	labels := s.updateLabels()
	strategy := s.set.Spec.UpdateStrategy
	partition, _ := api.PartitionOf(strategy.Partition, s.limits.Replicas)
	unavailable, _ := api.Percent(api.OrDefault(strategy.MaxUnavailable, intstr.FromString("20%")), s.limits.Replicas, false)
	switch {
	case s.updatedReady() < s.minUpdatedReady():
		return fmt.Sprintf("%d Pods are updated and ready, the annotation asks for %d", s.updatedReady(), s.minUpdatedReady())
	case labels[pulledLabel] != "":
		return "its jobs were made already"
	case labels[unpulledLabel] != "":
		return "the revision is marked to do without"
	case strategy.Type == api.Recreate || strategy.Type == "":
		return "updateStrategy.type is ReCreate"
	case s.limits.Replicas <= fewest:
		return fmt.Sprintf("%d replicas are no more than %d", s.limits.Replicas, fewest)
	case partition == 0 && unavailable >= s.limits.Replicas:
		return "all Pods are updated in one batch"
	}
	if c := s.changes.Between(s.revisions.Current, s.revisions.Update); c.Forbidden != "" {
		return "Pods can't be updated in place"
	}
	return ""
}

func (s *sync) updateLabels() map[string]string {
	need := view.Need{Kind: view.ControllerRevisions, Namespace: s.set.GetNamespace(), Without: "whether images were downloaded ahead is not known"}
	for _, cr := range view.List[*appsv1.ControllerRevision](s.r, need, s.set.Selector) {
		if cr.Name == s.revisions.Update.Name {
			return cr.Labels
		}
	}
	return nil
}

// updatedReady is as stored, when that is about this revision.
func (s *sync) updatedReady() int {
	if s.set.Status.UpdateRevision != s.revisions.Update.Name {
		return 0
	}
	return int(s.set.Status.UpdatedReadyReplicas)
}

func (s *sync) minUpdatedReady() int {
	text, ok := s.set.GetAnnotations()[minReadyAnnotation]
	if !ok {
		return 0
	}
	value := intstr.Parse(text)
	n, _ := api.Percent(&value, s.limits.Replicas, true) // what does not parse counts as 0, as upstream
	return n
}

// newImages are the containers whose image the older list has not.
func newImages(old, now []corev1.Container) []corev1.Container {
	images := map[string]string{}
	for _, c := range old {
		images[c.Name] = c.Image
	}
	var out []corev1.Container
	for _, c := range now {
		if images[c.Name] != c.Image {
			out = append(out, c)
		}
	}
	return out
}
