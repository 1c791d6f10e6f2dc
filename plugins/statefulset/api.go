package statefulset

import (
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/expectations"
)

// Given is what a sync starts from besides the View. The zero Given is a controller
// that was just started, and an API server that accepts what it is asked.
type Given struct {
	// Behind are the caches that do not hold the controller's own last writes. Only a
	// controller that reads back cares, since 1.36.
	Behind []*expectations.Stale
	// Exact: templates are encoded as the manager does, so that the names of new revisions
	// are known; else they are where the newest revision shows it.
	Exact bool
	// API answers the sync's writes.
	API API
}

// API predicts how the API server answers. A nil func accepts everything.
type API struct {
	// Refuse answers a write of the sync.
	Refuse func(cluster.Write) error
	// Live is the uncached read of the StatefulSet before the first adoption. A nil
	// func finds it as the View has it.
	Live func() (metav1.Object, error)
	// Lenient: it stores what it would refuse as invalid.
	Lenient bool
	// Named is the uncached read of the ControllerRevision whose name is taken. A nil
	// func finds it in the View.
	Named func(name string) (*appsv1.ControllerRevision, error)
}

// Result is a Decision with the requests that it stands for.
type Result struct {
	Decision *decision.Decision
	// Writes are the requests in the order in which the sync makes them. Those of
	// Pods of one batch, of a StatefulSet of podManagementPolicy Parallel, are made at
	// the same time, as are the claims of one Pod in any order.
	Writes []cluster.Write
	// Err is what the sync returns to the queue.
	Err error
}
