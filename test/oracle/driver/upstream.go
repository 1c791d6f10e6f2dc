package driver

import (
	"context"
	"io"
	"testing"
	_ "unsafe" // for go:linkname

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	appsinformers "k8s.io/client-go/informers/apps/v1"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	kubecontroller "k8s.io/kubernetes/pkg/controller"
	"k8s.io/kubernetes/pkg/controller/replicaset"
	"k8s.io/kubernetes/pkg/controller/replication"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/rollout"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/statefulset"
)

// Upstream is what an oracle program knows about its Kubernetes version: the
// constructors, whose parameters differ between versions.
type Upstream struct {
	NewReplicaSetController func(Inputs) *replicaset.ReplicaSetController
	NewReplicationManager   func(Inputs) *replication.ReplicationManager
	NewDeploymentController rollout.Construct
	// NewStatefulSetController is nil for versions that are not asked.
	NewStatefulSetController statefulset.Construct
	// Remember answers sequences of steps on expectations (package memory), nil
	// for versions that are not asked.
	Remember func(*testing.T, io.Reader, io.Writer) error
	// Admit answers for creations (package admission), nil for versions that are
	// not asked.
	Admit func(io.Reader, io.Writer) error
}

// Inputs are the edges of the controller that the driver supplies.
type Inputs struct {
	Context                context.Context
	Client                 kubernetes.Interface
	Pods                   coreinformers.PodInformer
	ReplicaSets            appsinformers.ReplicaSetInformer
	ReplicationControllers coreinformers.ReplicationControllerInformer
}

// processNextWorkItem is upstream's own: it takes one key off the queue,
// syncs it, and forgets or requeues it. linkname.s lets it have no body here.
//
//go:linkname processNextWorkItem k8s.io/kubernetes/pkg/controller/replicaset.(*ReplicaSetController).processNextWorkItem
func processNextWorkItem(*replicaset.ReplicaSetController, context.Context) bool

// less is the real deletion comparator over these pods.
func less(pods []*corev1.Pod, ranks []int, now metav1.Time) func(i, j int) bool {
	return kubecontroller.ActivePodsWithRanks{Pods: pods, Rank: ranks, Now: now}.Less
}

// claimer is what a ref manager is built from.
type claimer struct {
	podControl kubecontroller.PodControlInterface
	owner      metav1.Object
	selector   labels.Selector
	kind       schema.GroupVersionKind
	// live is the uncached read behind RecheckDeletionTimestamp.
	live func(context.Context) (metav1.Object, error)
}

// claim runs the real ref manager on one pod.
func (c claimer) claim(ctx context.Context, pod *corev1.Pod) (claimed bool, err error) {
	canAdopt := kubecontroller.RecheckDeletionTimestamp(c.live)
	manager := kubecontroller.NewPodControllerRefManager(c.podControl, c.owner, c.selector, c.kind, canAdopt)
	pods, err := manager.ClaimPods(ctx, []*corev1.Pod{pod})
	return len(pods) > 0, err
}
