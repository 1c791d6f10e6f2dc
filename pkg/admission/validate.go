package admission

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// validate mirrors the part of ValidatePodCreate (pkg/apis/core/validation/
// validation.go, v1.37.1) that a Pod can fail although its template was
// accepted: spaces around an image, quantities that defaults brought together, and
// volumes of claim templates.
func validate(pod *corev1.Pod) *Refusal {
	var errs []string
	each := func(path string, all []corev1.Container) {
		for i := range all {
			at := fmt.Sprintf("spec.%s[%d]", path, i)
			if image := all[i].Image; strings.TrimSpace(image) != image {
				errs = append(errs, fmt.Sprintf("%s.image: Invalid value: %q: must not have leading or trailing whitespace", at, image))
			}
			errs = append(errs, quantities(at+".resources", all[i].Resources)...)
			errs = append(errs, mounts(at, &all[i], pod.Spec.Volumes)...)
		}
	}
	each("containers", pod.Spec.Containers)
	each("initContainers", pod.Spec.InitContainers)
	errs = append(errs, podLevel(pod)...)
	if len(errs) == 0 {
		return nil
	}
	slices.Sort(errs)
	return &Refusal{Reason: Invalid, Message: joined(errs), All: errs}
}

// quantities mirrors what validateResourceRequirements says of requests beside
// limits, and of huge pages alone.
func quantities(path string, r corev1.ResourceRequirements) []string {
	var errs []string
	for name, request := range r.Requests {
		limit, limited := r.Limits[name]
		switch {
		case !limited && !isOvercommittable(name):
			errs = append(errs, path+".limits: Required value: Limit must be set for non overcommitable resources")
		case !limited:
		case !isOvercommittable(name) && request.Cmp(limit) != 0:
			errs = append(errs, tooMuch(path+".requests", request, "must be equal to %s limit of %s", string(name), limit.String()))
		case request.Cmp(limit) > 0:
			errs = append(errs, tooMuch(path+".requests", request, "must be less than or equal to %s limit of %s", string(name), limit.String()))
		}
	}
	if names := append(sorted(r.Requests), sorted(r.Limits)...); slices.ContainsFunc(names, isHugePages) && !slices.ContainsFunc(names, isPrimary) {
		errs = append(errs, path+": Forbidden: HugePages require cpu or memory")
	}
	return errs
}

func tooMuch(path string, q resource.Quantity, must string, args ...any) string {
	return fmt.Sprintf("%s: Invalid value: %q: %s", path, q.String(), fmt.Sprintf(must, args...))
}

// mounts mirrors what ValidateVolumeMounts and ValidateVolumeDevices say of
// names that no volume has.
func mounts(path string, c *corev1.Container, volumes []corev1.Volume) []string {
	var errs []string
	missing := func(list string, i int, name string) {
		if !slices.ContainsFunc(volumes, func(v corev1.Volume) bool { return v.Name == name }) {
			errs = append(errs, fmt.Sprintf("%s.%s[%d].name: Not found: %q", path, list, i, name))
		}
	}
	for i, m := range c.VolumeMounts {
		missing("volumeMounts", i, m.Name)
	}
	for i, d := range c.VolumeDevices {
		missing("volumeDevices", i, d.Name)
	}
	return errs
}

// podLevel mirrors validatePodResources for cpu, memory and huge pages.
func podLevel(pod *corev1.Pod) []string {
	r := pod.Spec.Resources
	if r == nil {
		return nil
	}
	errs := quantities("spec.resources", *r)
	errs = append(errs, exceeds("requests", sum(pod, requestsOf), r.Requests, "must be greater than or equal to aggregate container requests of %s")...)
	errs = append(errs, exceeds("limits", hugePages(sum(pod, limitsOf)), r.Limits, "must be greater than or equal to aggregate container limits of %s")...)
	for i, c := range pod.Spec.Containers {
		for name, limit := range c.Resources.Limits {
			if most, ok := r.Limits[name]; ok && limit.Cmp(most) > 0 {
				path := fmt.Sprintf("spec.resources.containers[%d][%s].limits", i, name)
				errs = append(errs, tooMuch(path, limit, "must be less than or equal to pod limits of %s", most.String()))
			}
		}
	}
	return errs
}

func hugePages(list corev1.ResourceList) corev1.ResourceList {
	kept := corev1.ResourceList{}
	for name, q := range list {
		if isHugePages(name) {
			kept[name] = q
		}
	}
	return kept
}

func exceeds(list string, all, most corev1.ResourceList, must string) []string {
	var errs []string
	for name, q := range all {
		if m, ok := most[name]; ok && q.Cmp(m) > 0 {
			errs = append(errs, tooMuch(fmt.Sprintf("spec.resources.%s[%s]", list, name), m, must, strings.TrimSpace(q.String())))
		}
	}
	return errs
}
