package admission

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestTerminating: a namespace refuses creations once it is terminating, and not
// because it is there or has labels only.
func TestTerminating(t *testing.T) {
	for phase, want := range map[corev1.NamespacePhase]bool{corev1.NamespaceActive: false, corev1.NamespaceTerminating: true, "": false} {
		b := view.NewOpenBuilder(time.Unix(0, 0))
		b.Add(view.Namespaces, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}, Status: corev1.NamespaceStatus{Phase: phase}})
		if got := Terminating(b.View().Reader(), "shop"); (got != nil) != want {
			t.Errorf("phase %q: terminating %v", phase, got != nil)
		}
		if got := Terminating(b.View().Reader(), "blog"); got != nil {
			t.Errorf("a namespace that is not there is %s", got.Name)
		}
	}
}
