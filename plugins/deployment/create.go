package deployment

import (
	"errors"
	"fmt"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// createNew sends the set for a template that has none.
func (s *sync) createNew() (*appsv1.ReplicaSet, error) {
	rs := s.draft()
	size, facts, err := s.newSize(append(s.sets.all(), rs), rs)
	if err != nil {
		return nil, err
	}
	s.counted(facts...)
	rs.Spec.Replicas = &size
	revision := s.nextRevision()
	annotate(s.d, rs, revision)
	s.setSizes(rs)
	exists := false
	w := writeSet(cluster.Create, rs)
	w.Object, w.Stored = rs.DeepCopy(), func(metav1.Object) metav1.Object { return stored(rs) }
	switch err := s.server.send(w, nil); {
	case errors.Is(err, cluster.ErrAlreadyExists):
		same, err := s.sameName(err)
		if err != nil {
			return nil, err
		}
		rs, exists = same, true
	case errors.Is(err, cluster.ErrNamespaceTerminating):
		return nil, err
	case err != nil:
		s.noteCreateError(rs, err)
		return nil, err
	default:
		s.created(rs, size, facts)
	}
	return rs, s.noteCreated(rs, strconv.FormatInt(revision, 10), exists)
}

// draft is the set without size and annotations.
func (s *sync) draft() *appsv1.ReplicaSet {
	template := *s.d.Spec.Template.DeepCopy()
	template.Labels = withHash(template.Labels)
	selector := s.d.Spec.Selector.DeepCopy()
	selector.MatchLabels = withHash(selector.MatchLabels)
	return &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{
			Name: s.setName(), Namespace: s.d.Namespace, Labels: template.Labels,
			OwnerReferences: []metav1.OwnerReference{s.reference()},
		},
		Spec: appsv1.ReplicaSetSpec{
			Replicas: new(int32(0)), MinReadySeconds: s.d.Spec.MinReadySeconds, Selector: selector, Template: template,
		},
	}
}

// reference is that of the sets to their controller.
func (s *sync) reference() metav1.OwnerReference {
	return *metav1.NewControllerRef(s.d, appsv1.SchemeGroupVersion.WithKind("Deployment"))
}

func withHash(labels map[string]string) map[string]string {
	all := map[string]string{appsv1.DefaultDeploymentUniqueLabelKey: UnknownHash}
	for k, v := range labels {
		if k != appsv1.DefaultDeploymentUniqueLabelKey {
			all[k] = v
		}
	}
	return all
}

// created fills in what the API server gives a new object, and notes the action.
func (s *sync) created(rs *appsv1.ReplicaSet, size int32, facts []decision.Fact) {
	a := s.act(decision.Create, rs, decision.Ruled(CreateNewSet, append(facts,
		decision.At(keyRevision, s.nextRevision(), "metadata.annotations["+revisionKey+"]"))...))
	a.From, a.To = new(int32(0)), &size
	rs.UID, rs.Generation = "created", 1
	rs.CreationTimestamp = metav1.Time{Time: s.now}
	rs.ResourceVersion = s.server.touch(rs.UID)
	s.wrote(rs)
}

// stored is a new set as the API server has it.
func stored(rs *appsv1.ReplicaSet) *appsv1.ReplicaSet {
	rs = named(rs).DeepCopy()
	rs.Generation = 1
	return rs
}

// sameName looks at the set that holds the name already. It is the new one
// when it belongs to the Deployment and has its template; otherwise the hash
// collides, and the next sync tries another.
func (s *sync) sameName(refused error) (*appsv1.ReplicaSet, error) {
	if s.given.API.SameName == nil {
		return nil, refused
	}
	rs := s.given.API.SameName()
	if rs == nil {
		return nil, fmt.Errorf("replicaset.apps %q not found", s.setName())
	}
	if ref := metav1.GetControllerOfNoCopy(rs); ref != nil && ref.UID == s.d.UID && sameTemplate(&s.d.Spec.Template, &rs.Spec.Template) {
		return rs, nil
	}
	s.d.Status.CollisionCount = new(ptr.Deref(s.d.Status.CollisionCount, 0) + 1)
	_ = s.updateStatus(HashCollision) // upstream returns the first error
	return nil, refused
}

// noteCreateError reports in status that the set can't be created; whether
// that can be written is not looked at.
func (s *sync) noteCreateError(rs *appsv1.ReplicaSet, err error) {
	if !hasDeadline(s.d) {
		return
	}
	s.setCondition(&s.d.Status, s.progressing(corev1.ConditionFalse, "ReplicaSetCreateError", fmt.Sprintf("Failed to create new replica set %q: %v", rs.Name, err)))
	_ = s.updateStatus(NewSetRefused)
}

// noteCreated puts revision and progress on the Deployment.
func (s *sync) noteCreated(rs *appsv1.ReplicaSet, revision string, exists bool) error {
	needed, news := s.setRevision(revision), ""
	if !exists && hasDeadline(s.d) {
		s.setCondition(&s.d.Status, s.progressing(corev1.ConditionTrue, "NewReplicaSetCreated", fmt.Sprintf("Created new replica set %q", rs.Name)))
		needed, news = true, NewSetCreated
	}
	if !needed {
		return nil
	}
	return s.updateStatus(news)
}
