package statefulset

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
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/statefulset/contract"
)

// clientset implements the few calls a sync makes. Every embedded interface
// is nil: a call that is not listed here panics, and the answer says so, which
// is how a new upstream call is noticed.
type clientset struct {
	kubernetes.Interface
	*cluster
}

func (c clientset) AppsV1() appsclient.AppsV1Interface { return appsClient{cluster: c.cluster} }
func (c clientset) CoreV1() coreclient.CoreV1Interface { return coreClient{cluster: c.cluster} }

type appsClient struct {
	appsclient.AppsV1Interface
	*cluster
}

func (c appsClient) StatefulSets(string) appsclient.StatefulSetInterface {
	return setClient{cluster: c.cluster}
}

func (c appsClient) ControllerRevisions(string) appsclient.ControllerRevisionInterface {
	return revisionClient{cluster: c.cluster}
}

type coreClient struct {
	edge.NoEvents
	*cluster
}

func (c coreClient) Pods(string) coreclient.PodInterface { return podClient{cluster: c.cluster} }

func (c coreClient) PersistentVolumeClaims(string) coreclient.PersistentVolumeClaimInterface {
	return claimClient{cluster: c.cluster}
}

type setClient struct {
	appsclient.StatefulSetInterface
	*cluster
}

func (c setClient) Get(context.Context, string, metav1.GetOptions) (*appsv1.StatefulSet, error) {
	return c.getSet()
}

func (c setClient) UpdateStatus(_ context.Context, set *appsv1.StatefulSet, _ metav1.UpdateOptions) (*appsv1.StatefulSet, error) {
	return written(c.cluster, contract.CallUpdateStatus, sets, set, set.DeepCopy())
}

type revisionClient struct {
	appsclient.ControllerRevisionInterface
	*cluster
}

func (c revisionClient) Get(_ context.Context, name string, _ metav1.GetOptions) (*appsv1.ControllerRevision, error) {
	return c.getRevision(name)
}

func (c revisionClient) Create(_ context.Context, r *appsv1.ControllerRevision, _ metav1.CreateOptions) (*appsv1.ControllerRevision, error) {
	return written(c.cluster, contract.CallCreateRevision, revisions, r, r.DeepCopy())
}

func (c revisionClient) Update(_ context.Context, r *appsv1.ControllerRevision, _ metav1.UpdateOptions) (*appsv1.ControllerRevision, error) {
	return written(c.cluster, contract.CallUpdateRevision, revisions, r, r.DeepCopy())
}

func (c revisionClient) Delete(_ context.Context, name string, _ metav1.DeleteOptions) error {
	_, err := c.write(contract.CallDeleteRevision, revisions, name, nil, nil)
	return err
}

func (c revisionClient) Patch(_ context.Context, name string, _ types.PatchType, data []byte, _ metav1.PatchOptions, _ ...string) (*appsv1.ControllerRevision, error) {
	version, err := c.write(contract.CallPatchRevision, revisions, name, nil, data)
	if err != nil {
		return nil, err
	}
	adopted := c.there[revisions][name].(*appsv1.ControllerRevision).DeepCopy()
	adopted.ResourceVersion = version
	return adopted, nil
}

type podClient struct {
	coreclient.PodInterface
	*cluster
}

func (c podClient) Create(_ context.Context, pod *corev1.Pod, _ metav1.CreateOptions) (*corev1.Pod, error) {
	return c.createPod(pod)
}

func (c podClient) Update(_ context.Context, pod *corev1.Pod, _ metav1.UpdateOptions) (*corev1.Pod, error) {
	return written(c.cluster, contract.CallUpdatePod, pods, pod, pod.DeepCopy())
}

func (c podClient) Delete(_ context.Context, name string, _ metav1.DeleteOptions) error {
	_, err := c.write(contract.CallDeletePod, pods, name, nil, nil)
	return err
}

func (c podClient) Patch(_ context.Context, name string, _ types.PatchType, data []byte, _ metav1.PatchOptions, _ ...string) (*corev1.Pod, error) {
	version, err := c.write(contract.CallPatchPod, pods, name, nil, data)
	if err != nil {
		return nil, err
	}
	patched := c.there[pods][name].(*corev1.Pod).DeepCopy()
	patched.ResourceVersion = version
	return patched, nil
}

type claimClient struct {
	coreclient.PersistentVolumeClaimInterface
	*cluster
}

func (c claimClient) Create(_ context.Context, claim *corev1.PersistentVolumeClaim, _ metav1.CreateOptions) (*corev1.PersistentVolumeClaim, error) {
	return written(c.cluster, contract.CallCreateClaim, claims, claim, claim.DeepCopy())
}

func (c claimClient) Update(_ context.Context, claim *corev1.PersistentVolumeClaim, _ metav1.UpdateOptions) (*corev1.PersistentVolumeClaim, error) {
	return written(c.cluster, contract.CallUpdateClaim, claims, claim, claim.DeepCopy())
}
