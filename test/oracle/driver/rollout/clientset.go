package rollout

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	appsclient "k8s.io/client-go/kubernetes/typed/apps/v1"
	coreclient "k8s.io/client-go/kubernetes/typed/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/edge"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/rollout/contract"
)

// clientset implements the few calls a sync makes. Every embedded interface
// is nil: a call that is not listed here panics, and the answer says so, which
// is how a new upstream call is noticed.
type clientset struct {
	kubernetes.Interface
	*cluster
}

func (c clientset) AppsV1() appsclient.AppsV1Interface { return appsClient{cluster: c.cluster} }
func (c clientset) CoreV1() coreclient.CoreV1Interface { return edge.NoEvents{} }

type appsClient struct {
	appsclient.AppsV1Interface
	*cluster
}

func (c appsClient) Deployments(string) appsclient.DeploymentInterface {
	return deploymentClient{cluster: c.cluster}
}

func (c appsClient) ReplicaSets(namespace string) appsclient.ReplicaSetInterface {
	return replicaSetClient{cluster: c.cluster, namespace: namespace}
}

type deploymentClient struct {
	appsclient.DeploymentInterface
	*cluster
}

func (c deploymentClient) Get(context.Context, string, metav1.GetOptions) (*appsv1.Deployment, error) {
	return c.getDeployment()
}

func (c deploymentClient) Update(_ context.Context, d *appsv1.Deployment, _ metav1.UpdateOptions) (*appsv1.Deployment, error) {
	return c.writeDeployment(contract.CallUpdateDeployment, d)
}

func (c deploymentClient) UpdateStatus(_ context.Context, d *appsv1.Deployment, _ metav1.UpdateOptions) (*appsv1.Deployment, error) {
	return c.writeDeployment(contract.CallUpdateStatus, d)
}

type replicaSetClient struct {
	appsclient.ReplicaSetInterface
	*cluster
	namespace string
}

func (c replicaSetClient) List(_ context.Context, o metav1.ListOptions) (*appsv1.ReplicaSetList, error) {
	return c.listSets(c.namespace, o.LabelSelector)
}

func (c replicaSetClient) Create(_ context.Context, rs *appsv1.ReplicaSet, _ metav1.CreateOptions) (*appsv1.ReplicaSet, error) {
	return c.createSet(rs)
}

func (c replicaSetClient) Update(_ context.Context, rs *appsv1.ReplicaSet, _ metav1.UpdateOptions) (*appsv1.ReplicaSet, error) {
	return c.updateSet(rs)
}

func (c replicaSetClient) Delete(_ context.Context, name string, _ metav1.DeleteOptions) error {
	return c.deleteSet(name)
}

func (c replicaSetClient) Patch(_ context.Context, name string, _ types.PatchType, data []byte, _ metav1.PatchOptions, _ ...string) (*appsv1.ReplicaSet, error) {
	return c.patchSet(name, data)
}
