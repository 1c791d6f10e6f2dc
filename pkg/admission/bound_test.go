package admission_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
)

// TestBoundsAtTheEdge: a quantity that is just as large as a bound keeps it.
func TestBoundsAtTheEdge(t *testing.T) {
	cpu := func(q string) corev1.ResourceList {
		return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(q)}
	}
	item := func(set func(*corev1.LimitRangeItem)) *corev1.LimitRange {
		l := &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer}}}}
		set(&l.Spec.Limits[0])
		return l
	}
	ratio := item(func(i *corev1.LimitRangeItem) { i.MaxLimitRequestRatio = cpu("2") })
	half := item(func(i *corev1.LimitRangeItem) { i.MaxLimitRequestRatio = cpu("1500m") })
	most := item(func(i *corev1.LimitRangeItem) { i.Max = cpu("200m") })
	least := item(func(i *corev1.LimitRangeItem) { i.Min = cpu("100m") })
	for name, c := range map[string]struct {
		by             *corev1.LimitRange
		request, limit string
		violates       bool
	}{
		"ratio 2 of 2":      {ratio, "100m", "200m", false},
		"ratio 2.01 of 2":   {ratio, "100m", "201m", true},
		"ratio 1.5 of 1.5":  {half, "100m", "150m", false},
		"ratio 1.51 of 1.5": {half, "100m", "151m", true},
		"limit 200m":        {most, "100m", "200m", false},
		"limit 201m":        {most, "100m", "201m", true},
		"request 100m":      {least, "100m", "200m", false},
		"request 99m":       {least, "99m", "200m", true},
	} {
		pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{
			Name: "main", Resources: corev1.ResourceRequirements{Requests: cpu(c.request), Limits: cpu(c.limit)},
		}}}}
		if found := admission.Violations(c.by, pod); len(found) > 0 != c.violates {
			t.Errorf("%s: %v, want violations %v", name, found, c.violates)
		}
	}
}
