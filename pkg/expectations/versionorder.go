package expectations

import (
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/resourceversion"
)

// NewerThan is the lowest resource version that a write can lead to which comes
// after this one. Of a version that is no number it is empty, which anything is
// as new as.
func NewerThan(version string) string {
	n, err := strconv.ParseUint(version, 10, 64)
	if err != nil {
		return ""
	}
	return strconv.FormatUint(n+1, 10)
}

// Newest is the highest resource version among objects.
func Newest(objects []metav1.Object) string {
	var highest string
	for _, obj := range objects {
		version := obj.GetResourceVersion()
		if order, err := resourceversion.CompareResourceVersion(version, highest); err == nil && order > 0 || highest == "" {
			highest = version
		}
	}
	return highest
}
