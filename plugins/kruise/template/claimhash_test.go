package template

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
)

func claimOf(name, request, limit string) corev1.PersistentVolumeClaim {
	c := corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"not": "hashed"}}}
	c.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}
	c.Spec.Resources.Requests = corev1.ResourceList{corev1.ResourceStorage: resource.MustParse(request)}
	c.Spec.Resources.Limits = corev1.ResourceList{corev1.ResourceStorage: resource.MustParse(limit)}
	return c
}

// The hashes are those of upstream's own test (pkg/util/volumeclaimtemplate/
// hash_test.go, v1.9.1): of names and specs, in the order of names.
func TestClaimHash(t *testing.T) {
	first, second := claimOf("pvc-1", "1Gi", "2Gi"), claimOf("pvc-2", "2Gi", "4Gi")
	newer := claimOf("pvc-1", "1Gi", "2Gi")
	newer.Spec.VolumeAttributesClassName = new("fast")
	for _, tt := range []struct {
		name   string
		minor  int
		claims []corev1.PersistentVolumeClaim
		want   string
	}{
		{"none", 9, nil, ""},
		{"one", 9, []corev1.PersistentVolumeClaim{first}, "1129974074"},
		{"two, sorted", 9, []corev1.PersistentVolumeClaim{second, first}, "510584408"},
		{"without what the release knows", 7, []corev1.PersistentVolumeClaim{newer}, "1129974074"},
	} {
		if got := ClaimsHash(tt.claims, profile.Version{Major: 1, Minor: tt.minor, Patch: -1}); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	if newer.Spec.VolumeAttributesClassName == nil {
		t.Error("the claim template itself was changed")
	}
	known := []corev1.PersistentVolumeClaim{newer}
	if ClaimsHash(known, profile.Version{Major: 1, Minor: 8, Patch: -1}) == "1129974074" {
		t.Error("1.8 knows volumeAttributesClassName")
	}
}
