package deployment

import (
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
)

// Given is what a sync starts from besides the View. The zero Given is an API
// server that accepts what it is asked.
type Given struct {
	// API answers the sync's writes.
	API API
}

// API predicts how the API server answers. A nil func accepts everything that
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
