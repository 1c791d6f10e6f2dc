package deployment

import (
	"errors"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Given is what a sync starts from besides the View. The zero Given is an API
// server that accepts what it is asked, and no look at what follows for pods.
type Given struct {
	// Follow tells what the controller of a ReplicaSet does next once the sets
	// are as changed; nil leaves that out.
	Follow Follow
	// API answers the sync's writes.
	API API
	// retries is how many retries came before this sync.
	retries int
	// doubt is what the sync depends on that may not happen; nil for nothing.
	doubt *decision.Caveat
}

// Follow decides on one ReplicaSet in the View that all changed sets leave, notes
// in r what it reads, and phrases the Decision. A doubt is why nothing of it is certain.
type Follow func(r *view.Reader, p profile.Profile, of *appsv1.ReplicaSet, left *view.View, doubt *decision.Caveat) (*decision.Decision, error)

// API foretells how the API server answers. A nil func accepts everything that
// is not out of date.
type API struct {
	// Refuse answers a write of the sync, before it is compared with what is
	// out of date.
	Refuse func(cluster.Write) error
	// Live is the uncached read of the Deployment before the first adoption. A
	// nil func finds it as the View has it.
	Live func() (metav1.Object, error)
	// SameName is the ReplicaSet that the cache holds under the name of one
	// whose creation was refused with ErrAlreadyExists, nil for none.
	SameName func() *appsv1.ReplicaSet
}

// Errors of the API server that the controller tells apart from others.
var (
	ErrNotFound             = errors.New("not found")
	ErrInvalid              = errors.New("invalid")
	ErrConflict             = errors.New("conflict")
	ErrAlreadyExists        = errors.New("already exists")
	ErrNamespaceTerminating = errors.New("namespace is being terminated")
)

// isAny tells whether err is one of kinds.
func isAny(err error, kinds ...error) bool {
	for _, k := range kinds {
		if errors.Is(err, k) {
			return true
		}
	}
	return false
}
