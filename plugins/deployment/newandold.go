package deployment

import (
	"sort"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// newAndOld are the claimed sets, told apart.
type newAndOld struct {
	// existing is the set with the Deployment's template as it was read, newRS
	// the same after the sync brought it up to date, or the one it created.
	existing, newRS *appsv1.ReplicaSet
	// oldRSs are all others, the oldest first unless a step turned them round.
	oldRSs []*appsv1.ReplicaSet
}

// tellApart mirrors FindNewReplicaSet and FindOldReplicaSets
// (util/deployment_util.go, v1.37.1): of several sets with the template the
// oldest is the new one. sets come oldest first.
func tellApart(d *appsv1.Deployment, sets []*appsv1.ReplicaSet) *newAndOld {
	s := &newAndOld{}
	for _, rs := range sets {
		if s.existing == nil && sameTemplate(&rs.Spec.Template, &d.Spec.Template) {
			s.existing = rs
			continue
		}
		s.oldRSs = append(s.oldRSs, rs)
	}
	return s
}

// all are the old sets and then the new one, if there is one.
func (s *newAndOld) all() []*appsv1.ReplicaSet {
	all := append([]*appsv1.ReplicaSet{}, s.oldRSs...)
	if s.newRS != nil {
		all = append(all, s.newRS)
	}
	return all
}

// sameTemplate mirrors EqualIgnoreHash: labels are compared without the hash.
func sameTemplate(a, b *corev1.PodTemplateSpec) bool {
	return equality.Semantic.DeepEqual(withoutHash(a), withoutHash(b))
}

// withoutHash is a shallow copy of a template without the hash label.
func withoutHash(t *corev1.PodTemplateSpec) *corev1.PodTemplateSpec {
	if _, has := t.Labels[appsv1.DefaultDeploymentUniqueLabelKey]; !has {
		return t
	}
	plain := *t
	plain.Labels = map[string]string{}
	for k, v := range t.Labels {
		if k != appsv1.DefaultDeploymentUniqueLabelKey {
			plain.Labels[k] = v
		}
	}
	return &plain
}

// active mirrors FilterActiveReplicaSets of controller_utils.go.
func active(sets []*appsv1.ReplicaSet) []*appsv1.ReplicaSet {
	var kept []*appsv1.ReplicaSet
	for _, rs := range sets {
		if replicasOf(rs) > 0 {
			kept = append(kept, rs)
		}
	}
	return kept
}

// sum adds one number of each set.
//
//go:noinline // it is called at many places
func sum(sets []*appsv1.ReplicaSet, of func(*appsv1.ReplicaSet) int32) int32 {
	total := int32(0)
	for _, rs := range sets {
		total += of(rs)
	}
	return total
}

func actual(rs *appsv1.ReplicaSet) int32    { return rs.Status.Replicas }
func ready(rs *appsv1.ReplicaSet) int32     { return rs.Status.ReadyReplicas }
func available(rs *appsv1.ReplicaSet) int32 { return rs.Status.AvailableReplicas }

// byCreation orders sets as ReplicaSetsByCreationTimestamp does: by creation
// and then by name.
type byCreation []*appsv1.ReplicaSet

func (o byCreation) Len() int           { return len(o) }
func (o byCreation) Swap(i, j int)      { o[i], o[j] = o[j], o[i] }
func (o byCreation) Less(i, j int) bool { return older(o[i], o[j]) }

func older(a, b *appsv1.ReplicaSet) bool {
	if a.CreationTimestamp.Equal(&b.CreationTimestamp) {
		return a.Name < b.Name
	}
	return a.CreationTimestamp.Before(&b.CreationTimestamp)
}

// sortBySize orders the larger first; of equal ones the newer when there are
// replicas to add, the older when some are to go (ReplicaSetsBySizeNewer and
// ReplicaSetsBySizeOlder of controller_utils.go, v1.37.1).
func sortBySize(sets []*appsv1.ReplicaSet, newerFirst bool) {
	sort.Slice(sets, func(i, j int) bool {
		a, b := sets[i], sets[j]
		if replicasOf(a) != replicasOf(b) {
			return replicasOf(a) > replicasOf(b)
		}
		return older(a, b) != newerFirst
	})
}
