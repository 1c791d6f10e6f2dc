package trace

import (
	"context"
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// ordinalDriver changes StatefulSets of several kinds at random.
type ordinalDriver struct {
	*driver
	specs []*appsv1.StatefulSet
}

// TestRandomStatefulSets is TestRandomChanges for StatefulSets.
func TestRandomStatefulSets(t *testing.T) {
	d := &ordinalDriver{driver: newDriver(t, env.plane, newNamespace(t), 3)}
	write(t, "TRACE_STATEFULSET_REPORT", d.run(60, d.workloads, d.pick))
}

// workloads are one set of each kind.
func (d *ordinalDriver) workloads() {
	d.Helper()
	for i, edit := range []func(spec *appsv1.StatefulSetSpec){
		func(*appsv1.StatefulSetSpec) {},
		func(spec *appsv1.StatefulSetSpec) { spec.PodManagementPolicy = appsv1.ParallelPodManagement },
		func(spec *appsv1.StatefulSetSpec) {
			spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateStatefulSetStrategy{Partition: new(int32(2))}
		},
		func(spec *appsv1.StatefulSetSpec) {
			spec.UpdateStrategy.Type = appsv1.OnDeleteStatefulSetStrategyType
			spec.Ordinals = &appsv1.StatefulSetOrdinals{Start: 1}
		},
		func(spec *appsv1.StatefulSetSpec) { spec.MinReadySeconds = 2 },
	} {
		name := fmt.Sprintf("sts-%d", i)
		set := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: name}}
		set.Spec = appsv1.StatefulSetSpec{
			Replicas: new(int32(d.rnd.IntN(4) + 1)), Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": name}}, Template: template(name),
		}
		edit(&set.Spec)
		d.specs = append(d.specs, set)
		_, err := d.on.client.AppsV1().StatefulSets(d.ns).Create(d.Context(), set.DeepCopy(), metav1.CreateOptions{})
		check(d.T, err)
	}
}

func (d *ordinalDriver) pick() (string, func(context.Context) error) {
	switch n := d.rnd.IntN(1000); {
	case d.restarts && n < 12:
		return "controller manager restart", func(ctx context.Context) error { return d.on.Restart(ctx, controlplane.ControllerManager) }
	case n < 350:
		return "scale of a StatefulSet", d.scale
	case n < 500:
		return "image of a StatefulSet", d.image
	case n < 560:
		return "partition of a StatefulSet", d.partition
	case n < 720:
		return "deletion of a Pod", d.deletePod
	case n < 800:
		return "label of a Pod taken away", d.relabel
	case n < 870:
		return "label of an orphan given back", d.giveBack
	case n < 930:
		return "name label of a Pod taken away", d.unname
	default:
		return "deletion and creation of a StatefulSet", d.replace
	}
}

func (d *ordinalDriver) any() *appsv1.StatefulSet { return d.specs[d.rnd.IntN(len(d.specs))] }

func (d *ordinalDriver) patch(ctx context.Context, kind types.PatchType, body []byte) error {
	_, err := d.on.client.AppsV1().StatefulSets(d.ns).Patch(ctx, d.any().Name, kind, body, metav1.PatchOptions{})
	return err
}

func (d *ordinalDriver) scale(ctx context.Context) error {
	return d.patch(ctx, types.MergePatchType, fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, d.rnd.IntN(6)))
}

func (d *ordinalDriver) image(ctx context.Context) error {
	d.images++
	image := d.images - d.rnd.IntN(2) // at times the one before
	return d.patch(ctx, types.StrategicMergePatchType, fmt.Appendf(nil, `{"spec":{"template":{"spec":{"containers":[{"name":"main","image":"main:%d"}]}}}}`, image))
}

func (d *ordinalDriver) partition(ctx context.Context) error {
	body := fmt.Appendf(nil, `{"spec":{"updateStrategy":{"rollingUpdate":{"partition":%d}}}}`, d.rnd.IntN(4))
	_, err := d.on.client.AppsV1().StatefulSets(d.ns).Patch(ctx, d.specs[2].Name, types.MergePatchType, body, metav1.PatchOptions{})
	return err
}

// unname takes away the label that the controller puts back.
func (d *ordinalDriver) unname(ctx context.Context) error {
	name, err := d.anyPod(ctx, appsv1.StatefulSetPodNameLabel)
	if err != nil {
		return err
	}
	_, err = d.on.client.CoreV1().Pods(d.ns).Patch(ctx, name, types.MergePatchType,
		fmt.Appendf(nil, `{"metadata":{"labels":{%q:null}}}`, appsv1.StatefulSetPodNameLabel), metav1.PatchOptions{})
	return err
}

func (d *ordinalDriver) replace(ctx context.Context) error {
	set := d.any()
	if err := d.on.client.AppsV1().StatefulSets(d.ns).Delete(ctx, set.Name, metav1.DeleteOptions{}); err != nil {
		return err
	}
	_, err := d.on.client.AppsV1().StatefulSets(d.ns).Create(ctx, set.DeepCopy(), metav1.CreateOptions{})
	return err
}
