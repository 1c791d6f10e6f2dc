package statefulset

import (
	"errors"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// server predicts the API server's answers.
type server struct {
	refuse, admit func(cluster.Write) error
	writes        []cluster.Write
	// created counts the objects of each kind that were accepted.
	created map[schema.GroupKind]int64
}

// send makes a write, and returns the answer to it.
func (s *server) send(w cluster.Write) error {
	if s.refuse != nil {
		w.Err = s.refuse(w)
	}
	if w.Err == nil {
		w.Err = s.admit(w)
	}
	s.writes = append(s.writes, w)
	if w.Err == nil && w.Verb == cluster.Create {
		s.created[w.Kind.GroupKind()]++
	}
	return w.Err
}

// updated reports whether an object was updated before in this sync.
func (s *server) updated(w cluster.Write) bool {
	return slices.ContainsFunc(s.writes, func(before cluster.Write) bool {
		return before.Err == nil && before.Verb == cluster.Update && before.Name == w.Name && before.Kind.GroupKind() == w.Kind.GroupKind()
	})
}

// number is that of the last write.
func (s *server) number() int { return len(s.writes) }

// The tries of retry.DefaultBackoff and retry.DefaultRetry (client-go util/retry,
// v0.37.1).
const (
	backoffSteps = 4
	retrySteps   = 5
)

// onConflict mirrors RetryOnConflict: it tries again while the answer is a conflict.
func onConflict(steps int, try func() error) (err error) {
	for range steps {
		if err = try(); !isConflict(err) {
			return err
		}
	}
	return err
}

// isConflict mirrors IsConflict of apimachinery's pkg/api/errors (v0.37.1), which does not
// look into an aggregate: the claims that were refused are one.
func isConflict(err error) bool {
	if _, several := errors.AsType[utilerrors.Aggregate](err); several {
		return false
	}
	return errors.Is(err, cluster.ErrConflict)
}

// object is a write of an object of a kind.
func object(verb cluster.Verb, k view.Kind, obj metav1.Object) cluster.Write {
	w := cluster.Write{Verb: verb, Kind: k, Namespace: obj.GetNamespace(), Name: obj.GetName()}
	if verb == cluster.Create || verb == cluster.Update {
		w.Object, w.Stored = obj, func(metav1.Object) metav1.Object { return view.Copy(obj) }
	}
	return w
}

func errStrategyOff(set *appsv1.StatefulSet) error {
	return fmt.Errorf("statefulset %s/%s uses Recreate strategy but feature gate StatefulSetRecreateStrategy is disabled", set.Namespace, set.Name)
}
