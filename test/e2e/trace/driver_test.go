package trace

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// driver changes a namespace at random.
type driver struct {
	*testing.T
	on     plane
	ns     string
	rnd    *rand.Rand
	counts map[string]int
	// restarts lets the control plane itself be restarted.
	restarts bool
	images   int
}

const (
	deployments = 5
	bareSets    = 3
	controllers = 2
)

func newDriver(t *testing.T, on plane, ns string, seed uint64) *driver {
	return &driver{T: t, on: on, ns: ns, rnd: rand.New(rand.NewPCG(seed, seed)), counts: map[string]int{}}
}

// workloads makes what the changes are made to.
func (d *driver) workloads() {
	d.Helper()
	for i := range deployments {
		name, replicas := fmt.Sprintf("deploy-%d", i), int32(d.rnd.IntN(5)+1)
		obj := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: name}}
		obj.Spec = appsv1.DeploymentSpec{Replicas: &replicas, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": name}}, Template: template(name)}
		if i == 0 {
			obj.Spec.Strategy.Type = appsv1.RecreateDeploymentStrategyType
		}
		if i == 1 {
			surge := intstr.FromInt32(2)
			obj.Spec.Strategy.RollingUpdate = &appsv1.RollingUpdateDeployment{MaxSurge: &surge}
			obj.Spec.MinReadySeconds = 2
		}
		_, err := d.on.client.AppsV1().Deployments(d.ns).Create(d.Context(), obj, metav1.CreateOptions{})
		check(d.T, err)
	}
	for i := range bareSets {
		createSet(d.T, d.ns, fmt.Sprintf("set-%d", i), int32(d.rnd.IntN(5)+1))
	}
	for i := range controllers {
		name, replicas := fmt.Sprintf("rc-%d", i), int32(d.rnd.IntN(5)+1)
		pods := template(name)
		rc := &corev1.ReplicationController{ObjectMeta: metav1.ObjectMeta{Name: name}}
		rc.Spec = corev1.ReplicationControllerSpec{Replicas: &replicas, Selector: map[string]string{"app": name}, Template: &pods}
		_, err := d.on.client.CoreV1().ReplicationControllers(d.ns).Create(d.Context(), rc, metav1.CreateOptions{})
		check(d.T, err)
	}
}

// change makes one of the changes that pick offers.
func (d *driver) change(pick func() (string, func(context.Context) error)) {
	d.Helper()
	kind, do := pick()
	d.counts[kind]++
	if err := do(d.Context()); err != nil && !missed(err) {
		d.Fatalf("%s: %v", kind, err)
	}
	time.Sleep(time.Duration(d.rnd.IntN(250)) * time.Millisecond)
}

// missed reports whether a change found things otherwise than it thought: such as a
// pod that is gone, or for a webhook another owner's.
func missed(err error) bool {
	return apierrors.IsNotFound(err) || apierrors.IsConflict(err) || strings.Contains(err.Error(), "denied the request")
}

func (d *driver) pick() (string, func(context.Context) error) {
	switch n := d.rnd.IntN(1000); {
	case d.restarts && n < 4:
		return "API server restart", func(ctx context.Context) error { return d.on.Restart(ctx, controlplane.APIServer) }
	case d.restarts && n < 14:
		return "controller manager restart", func(ctx context.Context) error { return d.on.Restart(ctx, controlplane.ControllerManager) }
	case n < 250:
		return "scale of a Deployment", d.scaleDeployment
	case n < 450:
		return "scale of a set", d.scaleSet
	case n < 520:
		return "scale of a ReplicationController", d.scaleRC
	case n < 620:
		return "image of a Deployment", d.setImage
	case n < 720:
		return "label of a pod taken away", d.relabel
	case n < 770:
		return "label of an orphan given back", d.giveBack
	case n < 920:
		return "deletion of a pod", d.deletePod
	case n < 960:
		return "orphan pod", d.orphan
	default:
		return "deletion and creation of a set", d.replaceSet
	}
}

func (d *driver) scaleDeployment(ctx context.Context) error {
	name := fmt.Sprintf("deploy-%d", d.rnd.IntN(deployments))
	_, err := d.on.client.AppsV1().Deployments(d.ns).Patch(ctx, name, types.MergePatchType, d.replicas(), metav1.PatchOptions{})
	return err
}

func (d *driver) scaleSet(ctx context.Context) error {
	name := fmt.Sprintf("set-%d", d.rnd.IntN(bareSets))
	_, err := d.on.client.AppsV1().ReplicaSets(d.ns).Patch(ctx, name, types.MergePatchType, d.replicas(), metav1.PatchOptions{})
	return err
}

func (d *driver) scaleRC(ctx context.Context) error {
	name := fmt.Sprintf("rc-%d", d.rnd.IntN(controllers))
	_, err := d.on.client.CoreV1().ReplicationControllers(d.ns).Patch(ctx, name, types.MergePatchType, d.replicas(), metav1.PatchOptions{})
	return err
}

func (d *driver) replicas() []byte {
	return fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, d.rnd.IntN(8))
}

func (d *driver) setImage(ctx context.Context) error {
	d.images++
	name := fmt.Sprintf("deploy-%d", d.rnd.IntN(deployments))
	patch := fmt.Appendf(nil, `{"spec":{"template":{"spec":{"containers":[{"name":"main","image":"main:%d"}]}}}}`, d.images)
	_, err := d.on.client.AppsV1().Deployments(d.ns).Patch(ctx, name, types.StrategicMergePatchType, patch, metav1.PatchOptions{})
	return err
}

// anyPod picks one of the pods that a selector leaves.
func (d *driver) anyPod(ctx context.Context, selector string) (string, error) {
	pods, err := d.on.client.CoreV1().Pods(d.ns).List(ctx, metav1.ListOptions{LabelSelector: selector})
	if err != nil {
		return "", err
	}
	if len(pods.Items) == 0 {
		return "none", nil
	}
	return pods.Items[d.rnd.IntN(len(pods.Items))].Name, nil
}

func (d *driver) relabel(ctx context.Context) error {
	name, err := d.anyPod(ctx, "!was")
	if err != nil {
		return err
	}
	patch := []byte(`[{"op":"copy","from":"/metadata/labels/app","path":"/metadata/labels/was"},{"op":"replace","path":"/metadata/labels/app","value":"let-go"}]`)
	_, err = d.on.client.CoreV1().Pods(d.ns).Patch(ctx, name, types.JSONPatchType, patch, metav1.PatchOptions{})
	return err
}

func (d *driver) giveBack(ctx context.Context) error {
	name, err := d.anyPod(ctx, "was")
	if err != nil {
		return err
	}
	patch := []byte(`[{"op":"move","from":"/metadata/labels/was","path":"/metadata/labels/app"}]`)
	_, err = d.on.client.CoreV1().Pods(d.ns).Patch(ctx, name, types.JSONPatchType, patch, metav1.PatchOptions{})
	return err
}

func (d *driver) deletePod(ctx context.Context) error {
	name, err := d.anyPod(ctx, "")
	if err != nil {
		return err
	}
	return d.on.client.CoreV1().Pods(d.ns).Delete(ctx, name, metav1.DeleteOptions{})
}

func (d *driver) orphan(ctx context.Context) error {
	pods := template(fmt.Sprintf("set-%d", d.rnd.IntN(bareSets)))
	pod := &corev1.Pod{ObjectMeta: pods.ObjectMeta, Spec: pods.Spec}
	pod.GenerateName = "orphan-"
	_, err := d.on.client.CoreV1().Pods(d.ns).Create(ctx, pod, metav1.CreateOptions{})
	return err
}

func (d *driver) replaceSet(ctx context.Context) error {
	name := fmt.Sprintf("set-%d", d.rnd.IntN(bareSets))
	if err := d.on.client.AppsV1().ReplicaSets(d.ns).Delete(ctx, name, metav1.DeleteOptions{}); err != nil {
		return err
	}
	replicas := int32(d.rnd.IntN(5) + 1)
	set := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Name: name}}
	set.Spec = appsv1.ReplicaSetSpec{Replicas: &replicas, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": name}}, Template: template(name)}
	_, err := d.on.client.AppsV1().ReplicaSets(d.ns).Create(ctx, set, metav1.CreateOptions{})
	return err
}
