package inplace

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// A container has its new image when the image's ID is another one, or when the
// same ID goes by the name that the spec has.
func TestImagesChanged(t *testing.T) {
	p := &corev1.Pod{}
	p.Spec.Containers = []corev1.Container{{Name: "main", Image: "web:2"}, {Name: "side", Image: "side"}}
	status := func(name, image, id string) corev1.ContainerStatus {
		return corev1.ContainerStatus{Name: name, Image: image, ImageID: id}
	}
	for _, tt := range []struct {
		name     string
		recorded map[string]lastStatus
		statuses []corev1.ContainerStatus
		want     bool
	}{
		{"nothing recorded", nil, nil, true},
		{"another ID", map[string]lastStatus{"main": {"old"}}, []corev1.ContainerStatus{status("main", "web:1", "new")}, true},
		{"the same ID", map[string]lastStatus{"main": {"old"}}, []corev1.ContainerStatus{status("main", "web:1", "old")}, false},
		{"the same ID by the new name", map[string]lastStatus{"main": {"old"}}, []corev1.ContainerStatus{status("main", "web:2", "old")}, true},
		{"the same ID without a tag", map[string]lastStatus{"side": {"old"}}, []corev1.ContainerStatus{status("side", "side:latest", "old")}, true},
		{"no status", map[string]lastStatus{"main": {"old"}}, []corev1.ContainerStatus{status("side", "side", "new")}, false},
		{"one of two", map[string]lastStatus{"main": {"old"}, "side": {"old"}}, []corev1.ContainerStatus{status("main", "web:2", "new"), status("side", "x", "old")}, false},
	} {
		p.Status.ContainerStatuses = tt.statuses
		if got := imagesChanged(p, &State{LastContainerStatuses: tt.recorded}); got != tt.want {
			t.Errorf("%s: %t, want %t", tt.name, got, tt.want)
		}
	}
}

// A resize is done when the kubelet reports what the spec asks for, of each
// container.
func TestResourcesUpdated(t *testing.T) {
	cpu := func(request, limit string) *corev1.ResourceRequirements {
		r := &corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": resource.MustParse(request)}}
		if limit != "" {
			r.Limits = corev1.ResourceList{"cpu": resource.MustParse(limit)}
		}
		return r
	}
	for _, tt := range []struct {
		name     string
		statuses []corev1.ContainerStatus
		want     bool
	}{
		{"as asked", []corev1.ContainerStatus{{Name: "main", Resources: cpu("1000m", "2")}}, true},
		{"another request", []corev1.ContainerStatus{{Name: "main", Resources: cpu("2", "2")}}, false},
		{"another limit", []corev1.ContainerStatus{{Name: "main", Resources: cpu("1", "3")}}, false},
		{"no limit", []corev1.ContainerStatus{{Name: "main", Resources: cpu("1", "")}}, false},
		{"not reported", []corev1.ContainerStatus{{Name: "main"}}, false},
		{"no status", nil, false},
		{"of another container", []corev1.ContainerStatus{{Name: "side", Resources: cpu("1", "2")}}, false},
		{"one more", []corev1.ContainerStatus{{Name: "main", Resources: cpu("1", "2")}, {Name: "side", Resources: cpu("1", "2")}}, false},
	} {
		p := &corev1.Pod{}
		p.Spec.Containers = []corev1.Container{{Name: "main", Resources: *cpu("1", "2")}}
		p.Status.ContainerStatuses = tt.statuses
		if got := resourcesUpdated(p); got != tt.want {
			t.Errorf("%s: %t, want %t", tt.name, got, tt.want)
		}
	}
}
