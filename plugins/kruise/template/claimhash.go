package template

import (
	"bytes"
	"fmt"
	"reflect"
	"sort"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
)

// ClaimsHash mirrors PatchVCTemplateHash (pkg/util/volumeclaimtemplate, v1.9.1):
// what the controller of a release notes on a revision of the volume claim
// templates, empty without any.
func ClaimsHash(templates []corev1.PersistentVolumeClaim, v profile.Version) string {
	if len(templates) == 0 {
		return ""
	}
	var hashed []corev1.PersistentVolumeClaim
	for i := range templates {
		hashed = append(hashed, corev1.PersistentVolumeClaim{
			ObjectMeta: metav1.ObjectMeta{Name: templates[i].Name}, Spec: *templates[i].Spec.DeepCopy(),
		})
	}
	sort.SliceStable(hashed, func(i, j int) bool { return hashed[i].Name < hashed[j].Name })
	dropUnknown(reflect.ValueOf(hashed), "", v)
	text := JSON(hashed)
	// The manager's older API libraries write the unset time of creation.
	for i := range hashed {
		name := fmt.Appendf(nil, `{"metadata":{"name":%q}`, hashed[i].Name)
		text = bytes.Replace(text, name, append(name[:len(name)-1], `,"creationTimestamp":null}`...), 1)
	}
	return fmt.Sprint(Hash(text))
}
