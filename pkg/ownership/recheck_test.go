package ownership

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestKruiseRefManager: a CloneSet updates the Pod that it releases, where a controller of
// Kubernetes sends a patch, and its claims say so. What they say is made once.
func TestKruiseRefManager(t *testing.T) {
	c, ok := cloneSet(&unstructured.Unstructured{Object: map[string]any{
		"metadata": map[string]any{"name": "cart", "namespace": "shop", "uid": "1"},
		"spec":     map[string]any{"selector": map[string]any{"matchLabels": map[string]any{"app": "cart"}}},
	}})
	if !ok {
		t.Fatal("a CloneSet claims nothing")
	}
	c.Ref = decision.Ref{Kind: "CloneSet", Namespace: "shop", Name: "cart", UID: "1"}
	pod := &metav1.ObjectMeta{
		Namespace: "shop", Name: "cart-0", UID: "p",
		OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps.kruise.io/v1alpha1", Kind: "CloneSet", Name: "cart", UID: "1", Controller: new(true)}},
	}
	v := c.Claim(pod, func(metav1.Object) bool { return false })
	if v.Decision != decision.ToRelease || v.Patch != "" {
		t.Errorf("%s by the patch %q, want a release without one", v.Decision, v.Patch)
	}
	for adopts, want := range map[bool]string{true: ReadFromCache, false: KruiseRefManager} {
		said := c.Manner(adopts)
		if said == nil || said.Rule != want {
			t.Errorf("adopts %v: %+v, want %s", adopts, said, want)
		}
		if said != c.Manner(adopts) {
			t.Errorf("adopts %v: made anew for each object", adopts)
		}
	}
}
