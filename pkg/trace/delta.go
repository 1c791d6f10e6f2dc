package trace

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Delta is one change as an informer's queue hands it out.
type Delta struct {
	Type cache.DeltaType
	Kind view.Kind
	// Object is the new state, or the last known one of a deleted object.
	Object metav1.Object
	// Tombstone: the deletion itself was missed.
	Tombstone bool
	// Initial: it is from the first list.
	Initial bool
}
