package driver

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	appsclient "k8s.io/client-go/kubernetes/typed/apps/v1"
	coreclient "k8s.io/client-go/kubernetes/typed/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/edge"
)

// clientset implements the few calls a sync makes. Every embedded interface
// is nil: a call that is not listed here panics, and the run says so, which
// is how a new upstream call is noticed.
type clientset struct {
	kubernetes.Interface
	cluster *cluster
}

func (c clientset) AppsV1() appsclient.AppsV1Interface { return appsClient{cluster: c.cluster} }
func (c clientset) CoreV1() coreclient.CoreV1Interface { return coreClient{cluster: c.cluster} }

type appsClient struct {
	appsclient.AppsV1Interface
	cluster *cluster
}

func (c appsClient) ReplicaSets(string) appsclient.ReplicaSetInterface {
	return replicaSetClient{cluster: c.cluster}
}

type coreClient struct {
	edge.NoEvents
	cluster *cluster
}

func (c coreClient) Pods(namespace string) coreclient.PodInterface {
	return podClient{cluster: c.cluster, namespace: namespace}
}

func (c coreClient) ReplicationControllers(string) coreclient.ReplicationControllerInterface {
	return replicationControllerClient{cluster: c.cluster}
}

type podClient struct {
	coreclient.PodInterface
	cluster   *cluster
	namespace string
}

func (c podClient) Create(_ context.Context, pod *corev1.Pod, _ metav1.CreateOptions) (*corev1.Pod, error) {
	return c.cluster.createPod(pod)
}

func (c podClient) Delete(_ context.Context, name string, _ metav1.DeleteOptions) error {
	return c.cluster.deletePod(c.namespace, name)
}

func (c podClient) Patch(_ context.Context, name string, _ types.PatchType, data []byte, _ metav1.PatchOptions, _ ...string) (*corev1.Pod, error) {
	return c.cluster.patchPod(c.namespace, name, data)
}

type replicaSetClient struct {
	appsclient.ReplicaSetInterface
	cluster *cluster
}

func (c replicaSetClient) Get(context.Context, string, metav1.GetOptions) (*appsv1.ReplicaSet, error) {
	live, err := c.cluster.getSet()
	if err != nil {
		return nil, err
	}
	return live.(*appsv1.ReplicaSet), nil
}

func (c replicaSetClient) UpdateStatus(_ context.Context, rs *appsv1.ReplicaSet, _ metav1.UpdateOptions) (*appsv1.ReplicaSet, error) {
	if err := c.cluster.updateStatus(rs.Status); err != nil {
		return nil, err
	}
	return rs, nil
}

type replicationControllerClient struct {
	coreclient.ReplicationControllerInterface
	cluster *cluster
}

func (c replicationControllerClient) Get(context.Context, string, metav1.GetOptions) (*corev1.ReplicationController, error) {
	live, err := c.cluster.getSet()
	if err != nil {
		return nil, err
	}
	return live.(*corev1.ReplicationController), nil
}

func (c replicationControllerClient) UpdateStatus(_ context.Context, rc *corev1.ReplicationController, _ metav1.UpdateOptions) (*corev1.ReplicationController, error) {
	if err := c.cluster.updateStatus(rc.Status); err != nil {
		return nil, err
	}
	return rc, nil
}
