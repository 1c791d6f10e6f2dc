package admission

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/util/validation"
)

// The names of resources, as pkg/apis/core/v1/helper/helpers.go (v1.37.1) tells
// them apart.

func isNative(name corev1.ResourceName) bool {
	return !strings.Contains(string(name), "/") || strings.Contains(string(name), corev1.ResourceDefaultNamespacePrefix)
}

func isHugePages(name corev1.ResourceName) bool {
	return strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix)
}

func isRequest(name corev1.ResourceName) bool {
	return strings.HasPrefix(string(name), corev1.DefaultResourceRequestsPrefix)
}

func isExtended(name corev1.ResourceName) bool {
	return !isNative(name) && !isRequest(name) && len(validation.IsQualifiedName(string(requested(name)))) == 0
}

func isDeviceClass(name corev1.ResourceName) bool {
	return strings.HasPrefix(string(name), resourceapi.ResourceDeviceClassPrefix)
}

func isPrimary(name corev1.ResourceName) bool {
	return name == corev1.ResourceCPU || name == corev1.ResourceMemory
}

// isOvercommittable reports whether requests may be smaller than limits.
func isOvercommittable(name corev1.ResourceName) bool { return isNative(name) && !isHugePages(name) }

// isPodLevel reports whether spec.resources of a Pod may hold the resource
// (component-helpers/resource/helpers.go IsSupportedPodLevelResource, v1.37.1).
func isPodLevel(name corev1.ResourceName) bool {
	return isPrimary(name) || isHugePages(name)
}

// requested is the name under which quotas count requests of a resource.
func requested(name corev1.ResourceName) corev1.ResourceName {
	return corev1.DefaultResourceRequestsPrefix + name
}
