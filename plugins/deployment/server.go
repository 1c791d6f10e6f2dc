package deployment

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// server predicts the API server's answers. The controller goes on with the
// copies it read, also after it wrote: a second write from such a copy is out
// of date and refused, which is why many steps of a rollout end in a retry.
type server struct {
	refuse func(cluster.Write) error
	// admit answers what refuse lets pass.
	admit func(cluster.Write) error
	// versions are the resource versions after what the sync wrote.
	versions map[types.UID]string
	writes   []cluster.Write
}

func newServer(api API) *server {
	return &server{refuse: api.Refuse, versions: map[types.UID]string{}}
}

// send makes a write. based is what it was made from; a nil based, as that of
// a patch or deletion, is never out of date.
func (s *server) send(w cluster.Write, based metav1.Object) error {
	if s.refuse != nil {
		w.Err = s.refuse(w)
	}
	if w.Err == nil && based != nil && s.isOutdated(based) {
		w.Err = &cluster.Conflict{Kind: w.Kind, Name: w.Name}
	}
	if w.Err == nil {
		w.Err = invalid(w.Object)
	}
	if w.Err == nil {
		w.Err = s.admit(w)
	}
	s.writes = append(s.writes, w)
	return w.Err
}

// invalid is the API server's refusal of a set that has no valid size. The
// controller's sums are of 32 bits: with very many replicas they overflow, and the
// size that it writes is negative.
func invalid(obj metav1.Object) error {
	rs, ok := obj.(*appsv1.ReplicaSet)
	if !ok || replicasOf(rs) >= 0 {
		return nil
	}
	return fmt.Errorf("ReplicaSet.apps %q is invalid: spec.replicas: Invalid value: %d: must be greater than or equal to 0", rs.Name, replicasOf(rs))
}

func (s *server) isOutdated(obj metav1.Object) bool {
	now, written := s.versions[obj.GetUID()]
	return written && now != obj.GetResourceVersion()
}

// touch gives the object with this UID a new resource version and returns it.
//
//go:noinline // it is called at many places
func (s *server) touch(uid types.UID) string {
	v := fmt.Sprintf("written-%d", len(s.writes))
	s.versions[uid] = v
	return v
}

// updateSet sends a set and returns it as the API server would.
func (s *server) updateSet(was, rs *appsv1.ReplicaSet) (*appsv1.ReplicaSet, error) {
	stored := rs.DeepCopy()
	if !equality.Semantic.DeepEqual(was.Spec, rs.Spec) {
		stored.Generation++
	}
	w := writeSet(cluster.Update, rs)
	w.Object, w.Stored = rs, func(metav1.Object) metav1.Object { return stored.DeepCopy() }
	if err := s.send(w, rs); err != nil {
		return nil, err
	}
	stored.ResourceVersion = s.touch(rs.UID)
	return stored, nil
}

// writeSet is a request about a set.
func writeSet(verb cluster.Verb, rs *appsv1.ReplicaSet) cluster.Write {
	return cluster.Write{Verb: verb, Kind: view.ReplicaSets, Namespace: rs.Namespace, Name: rs.Name}
}

// writeDeployment is an update of the Deployment as it is now.
func writeDeployment(d *appsv1.Deployment) cluster.Write {
	return cluster.Write{Verb: cluster.Update, Kind: view.Deployments, Namespace: d.Namespace, Name: d.Name, Object: d}
}
