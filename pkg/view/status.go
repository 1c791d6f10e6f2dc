package view

import (
	"reflect"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// StatusNumber is a number of an object's status by the name of its field, such as
// observedGeneration. known is false for kinds without the field: of one that has no Go
// type, where the object has a status without it.
func StatusNumber(obj metav1.Object, field string) (n int64, known bool) {
	obj = Decoded(obj)
	if u, ok := obj.(*unstructured.Unstructured); ok {
		status, _, _ := unstructured.NestedMap(u.Object, "status")
		n, found, err := unstructured.NestedInt64(status, field)
		return n, found && err == nil || len(status) == 0
	}
	status := reflect.Indirect(reflect.ValueOf(obj)).FieldByName("Status")
	if !status.IsValid() || status.Kind() != reflect.Struct {
		return 0, false
	}
	value := reflect.Indirect(status.FieldByName(strings.ToUpper(field[:1]) + field[1:]))
	if !value.IsValid() || !value.CanInt() {
		return 0, false
	}
	return value.Int(), true
}
