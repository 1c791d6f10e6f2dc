package handlers

import (
	"reflect"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"
)

// TestSame holds the comparisons to reflect.DeepEqual, which upstream calls.
func TestSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		labels := rapid.SampledFrom([]map[string]string{nil, {}, {"app": "web"}, {"app": "api"}, {"app": "web", "tier": ""}, {"tier": ""}})
		if a, b := labels.Draw(t, "labels"), labels.Draw(t, "other labels"); sameLabels(a, b) != reflect.DeepEqual(a, b) {
			t.Errorf("%#v and %#v", a, b)
		}
		if a, b := reference(t), reference(t); sameReference(a, b) != reflect.DeepEqual(a, b) {
			t.Errorf("%+v and %+v", a, b)
		}
	})
}

// reference differs from another one in a field or two, most of the time.
func reference(t *rapid.T) *metav1.OwnerReference {
	ref := &metav1.OwnerReference{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web", UID: "1", Controller: new(true)}
	switch rapid.IntRange(0, 8).Draw(t, "differs in") {
	case 0:
		return nil
	case 1:
		ref.APIVersion = "apps/v2"
	case 2:
		ref.Kind = "Other"
	case 3:
		ref.Name = "api"
	case 4:
		ref.UID = types.UID("2")
	case 5:
		ref.Controller = nil
	case 6:
		ref.BlockOwnerDeletion = new(rapid.Bool().Draw(t, "blocks"))
	}
	return ref
}
