package update

import (
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

const (
	pulledLabel        = "apps.kruise.io/pre-predownload-created"
	unpulledLabel      = "apps.kruise.io/image-predownload-ignored"
	minReadyAnnotation = "apps.kruise.io/image-predownload-min-updated-ready-pods"
	// fewest is the number of replicas up to which nothing is downloaded ahead.
	fewest = 3
)

// PreDownload tells which ImagePullJobs the sync makes (cloneset_controller.go
// doReconcile and cloneset_predownload_image.go, v1.9.1). They change nothing
// of what the sync does to pods.
func PreDownload(run *reconcile.Run) { (&updating{Run: run}).preDownload() }

func (s *updating) preDownload() {
	if !s.Kruise.On(kruise.PreDownloadImage) || s.Limits.SameRevision || s.Revisions.Unread {
		return
	}
	if why := s.noPreDownload(); why != "" {
		s.Limit(rules.ImagesNotPreDownloaded, decision.F(rules.KeyWhy, why))
		return
	}
	var jobs []string
	for _, c := range newImages(s.Revisions.Current.Template.Typed.Spec.Containers, s.Revisions.Update.Template.Typed.Spec.Containers) {
		jobs = append(jobs, fmt.Sprintf("%s-%s for %s", s.Revisions.Update.Name, c.Name, c.Image))
	}
	s.Limit(rules.ImagesPreDownloaded, decision.F(rules.KeyJobs, strings.Join(jobs, ", ")))
}

// noPreDownload is why no job is made, in the order in which it is looked at.
func (s *updating) noPreDownload() string {
	labels := s.updateLabels()
	strategy := s.Set.Spec.UpdateStrategy
	partition, _ := api.PartitionOf(strategy.Partition, s.Limits.Replicas)
	unavailable, _ := api.Percent(api.OrDefault(strategy.MaxUnavailable, intstr.FromString("20%")), s.Limits.Replicas, false)
	switch {
	case s.updatedReady() < s.minUpdatedReady():
		return fmt.Sprintf("%d Pods are updated and ready, the annotation asks for %d", s.updatedReady(), s.minUpdatedReady())
	case labels[pulledLabel] != "":
		return "its jobs were made already"
	case labels[unpulledLabel] != "":
		return "the revision is marked to do without"
	case strategy.Type == api.Recreate || strategy.Type == "":
		return "updateStrategy.type is ReCreate"
	case s.Limits.Replicas <= fewest:
		return fmt.Sprintf("%d replicas are no more than %d", s.Limits.Replicas, fewest)
	case partition == 0 && unavailable >= s.Limits.Replicas:
		return "all Pods are updated in one batch"
	}
	if c := s.Changes.Between(s.Revisions.Current, s.Revisions.Update); c.Forbidden != "" {
		return "Pods can't be updated in place"
	}
	return ""
}

func (s *updating) updateLabels() map[string]string {
	need := view.Need{Kind: view.ControllerRevisions, Namespace: s.Set.GetNamespace(), IfMissing: "whether images were downloaded ahead is not known"}
	for _, cr := range view.List[*appsv1.ControllerRevision](s.Reader, need, s.Set.Selector) {
		if cr.Name == s.Revisions.Update.Name {
			return cr.Labels
		}
	}
	return nil
}

// updatedReady is as stored, when that is about this revision.
func (s *updating) updatedReady() int {
	if s.Set.Status.UpdateRevision != s.Revisions.Update.Name {
		return 0
	}
	return int(s.Set.Status.UpdatedReadyReplicas)
}

func (s *updating) minUpdatedReady() int {
	text, ok := s.Set.GetAnnotations()[minReadyAnnotation]
	if !ok {
		return 0
	}
	value := intstr.Parse(text)
	n, _ := api.Percent(&value, s.Limits.Replicas, true) // what does not parse counts as 0, as upstream
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
