package view

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// TestServed: every kind is of a version that is known to be served, and so is the later one.
func TestServed(t *testing.T) {
	for _, k := range Kinds() {
		if !slices.Contains(k.Served(), k.Version) {
			t.Errorf("%s: %s is not among %v", k.Kind, k.GroupVersion(), k.Served())
		}
		if later, ok := k.Later(); ok && !slices.Contains(k.Served(), later.Version) {
			t.Errorf("%s: %s is not among %v", k.Kind, later.GroupVersion(), k.Served())
		}
	}
	if bad := CloneSets; slices.Contains(bad.Served(), "v1beta2") {
		t.Error("v1beta2 is served")
	}
	other := Kind{GroupVersionKind: schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}}
	if got := other.Served(); !slices.Equal(got, []string{"v1"}) {
		t.Errorf("of a group that is not known %v are served", got)
	}
}
