package scale

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/revision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/inplace"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/template"
)

// creates are the requests for so many Pods of a revision, which take the first of
// the free names, and before each for its volume claims (createPods and
// createOnePod of sync/cloneset_scale.go, v1.9.1). It returns the number of that for
// the Pods.
func (s *scaling) creates(count int, r *revision.Revision, names *[]string, ids instanceIDs) int {
	from := s.Revisions.Own
	if r.Name != s.Revisions.Update.Name {
		from, _ = template.Known(r.Template.Fields, s.Kruise.Version)
	}
	w := cluster.Write{
		Verb: cluster.Create, Kind: view.Pods, Namespace: s.Set.GetNamespace(), Name: s.Set.GetName() + "-", Generate: true, Count: count,
		Object: cluster.PodOf(s.Set.GetNamespace(), s.Set.GetName()+"-", &from.Typed, s.Set.Reference()),
		Stored: func(now metav1.Object) metav1.Object { return s.marked(now, r) },
	}
	taken := min(count, len(*names))
	w.Names, *names = (*names)[:taken], (*names)[taken:]
	if free := len(ids.reused); free > ids.used && ids.used > 0 {
		w.Drawn = &decision.Choice{K: ids.used, N: free}
	}
	return s.Log.AddWith(append(s.newClaims(count), w))
}

// newClaims are the requests for the volume claims of so many Pods
// (GetPersistentVolumeClaims of utils/cloneset_utils.go, v1.9.1).
func (s *scaling) newClaims(count int) []cluster.Write {
	if s.Log == nil {
		return nil
	}
	var all []cluster.Write
	for i := range s.Set.Spec.VolumeClaimTemplates {
		claim := s.Set.Spec.VolumeClaimTemplates[i].DeepCopy()
		prefix := claim.Name + "-" + s.Set.GetName() + "-"
		claim.Namespace, claim.Labels = s.Set.GetNamespace(), inplace.Added(claim.Labels, s.Set.Spec.Selector.MatchLabels)
		claim.OwnerReferences = append(claim.OwnerReferences, s.Set.Reference())
		all = append(all, cluster.Write{
			Verb: cluster.Create, Kind: view.PersistentVolumeClaims, Namespace: s.Set.GetNamespace(), Name: prefix, Generate: true, Count: count,
			Object: claim, Stored: func(now metav1.Object) metav1.Object {
				now.SetLabels(inplace.Added(now.GetLabels(), map[string]string{api.InstanceLabel: strings.TrimPrefix(now.GetName(), prefix)}))
				return now
			},
		})
	}
	return all
}

// freeNames are those of Pods that take over volume claims.
func (s *scaling) freeNames(ids instanceIDs) []string {
	var names []string
	for _, id := range ids.reused {
		if ids.blocked[id] == "" {
			names = append(names, s.Set.GetName()+"-"+id)
		}
	}
	return names
}

// marked is a new Pod as the controller and Kruise's webhook make it.
func (s *scaling) marked(now metav1.Object, r *revision.Revision) metav1.Object {
	p, ok := now.(*corev1.Pod)
	if !ok {
		return now
	}
	if p.Labels == nil {
		p.Labels = map[string]string{}
	}
	s.mark(p, r)
	s.mountClaims(p)
	if s.Behaviour.Webhook {
		inplace.GiveLaunchPriorities(p)
	}
	return p
}

// mountClaims mirrors UpdateStorage (utils/cloneset_utils.go, v1.9.1): a claim takes the place
// of the template's volume of its name.
func (s *scaling) mountClaims(p *corev1.Pod) {
	for i := range s.Set.Spec.VolumeClaimTemplates {
		name := s.Set.Spec.VolumeClaimTemplates[i].Name
		p.Spec.Volumes = slices.DeleteFunc(p.Spec.Volumes, func(v corev1.Volume) bool { return v.Name == name })
		p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: name + "-" + p.Name},
		}})
	}
}

// mark mirrors newVersionedPods (core/cloneset_core.go, v1.9.1).
func (s *scaling) mark(p *corev1.Pod, r *revision.Revision) {
	p.Labels[api.InstanceLabel] = strings.TrimPrefix(p.Name, s.Set.GetName()+"-")
	kruise.Enter(p, kruise.PreparingNormal, s.Now)
	r.WriteHash(p, s.Behaviour.ShortHash)
	if !kruise.HasGate(p, kruise.InPlaceReady) {
		p.Spec.ReadinessGates = append(p.Spec.ReadinessGates, corev1.PodReadinessGate{ConditionType: kruise.InPlaceReady})
	}
}
