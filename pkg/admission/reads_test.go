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

// TestKnown: what refused a Pod is asked again, what refused a volume claim is not modelled.
func TestKnown(t *testing.T) {
	b := view.NewBuilder(time.Unix(0, 0))
	b.Reads(whole(Quotas("shop")), nil)
	b.Reads(whole(LimitRanges("shop")), nil)
	r := b.View().Reader()
	for message, want := range map[string]bool{
		`pods "web-x" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1`:                                                                                          true,
		`create Pod db-1 in StatefulSet db failed error: failed to create PVC data-db-1: persistentvolumeclaims "data-db-1" is forbidden: exceeded quota: q, requested: persistentvolumeclaims=1`: false,
		`pods "web-x" is forbidden: minimum cpu usage per Container is 1, but request is 500m`:                                                                                                    true,
		`admission webhook "policy.example.com" denied the request`:                                                                                                                               false,
	} {
		if got := Known(r, "shop", message); got != want {
			t.Errorf("%s: known %v, want %v", message, got, want)
		}
	}
}
