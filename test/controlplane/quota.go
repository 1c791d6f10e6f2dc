package controlplane

import (
	"context"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// probed is a resource that only the probe of Limit asks for, and of which there is nothing:
// where it is refused, the quota is in force.
const probed = "example.com/probed"

// Limit makes a quota and waits until it is in force: until the quota controller has taken
// stock, and admission has heard of it. A Pod that is made before that may not be counted for
// minutes. The probes are dry runs.
func (c *Cluster) Limit(ctx context.Context, namespace, name string, hard corev1.ResourceList) error {
	client, err := c.Client()
	if err != nil {
		return err
	}
	quota := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: name}}
	quota.Spec.Hard = hard.DeepCopy()
	quota.Spec.Hard["requests."+probed] = resource.MustParse("0")
	if _, err := client.CoreV1().ResourceQuotas(namespace).Create(ctx, quota, metav1.CreateOptions{}); err != nil {
		return err
	}
	probe := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "probe"}}
	probe.Spec.Containers = []corev1.Container{{Name: "main", Image: "main:1", Resources: corev1.ResourceRequirements{
		Requests: corev1.ResourceList{probed: resource.MustParse("1"), corev1.ResourceCPU: resource.MustParse("1m")},
		Limits:   corev1.ResourceList{probed: resource.MustParse("1")},
	}}}
	ctx, cancel := context.WithTimeout(ctx, 2*waitTimeout)
	defer cancel()
	return c.WaitFor(ctx, fmt.Sprintf("quota %s/%s to refuse Pods", namespace, name), func(ctx context.Context) (bool, error) {
		_, err := client.CoreV1().Pods(namespace).Create(ctx, probe, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		if err != nil && strings.Contains(err.Error(), "requests."+probed+"=1") {
			return true, nil
		}
		return false, err
	})
}
