package cli

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
)

// TestManifestIsMergedOncePerObject: the rounds of a question share what a manifest makes of
// an object, until that is another one. A new object is created at the time of its View.
func TestManifestIsMergedOncePerObject(t *testing.T) {
	m := manifests{server: &serverSide{}, merges: map[string]merge{}}
	of := whatif.Manifest{Kind: view.ResourceQuotas, Namespace: "shop", Name: "pods",
		JSON: []byte(`{"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "pods", "namespace": "shop"}, "spec": {"hard": {"pods": "9"}}}`)}
	start := time.Date(2026, 11, 1, 3, 0, 0, 0, time.UTC)
	applied := func(at time.Time, live ...*corev1.ResourceQuota) *corev1.ResourceQuota {
		b := view.NewOpenBuilder(at)
		for _, q := range live {
			b.Add(view.ResourceQuotas, q)
		}
		v := b.View()
		obj, _, err := m.applied(&laid{View: v, reader: v.Reader()}, of)
		if err != nil {
			t.Fatal(err)
		}
		return obj.(*corev1.ResourceQuota)
	}
	live := func(used string) *corev1.ResourceQuota {
		q := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: "pods", Namespace: "shop"}}
		q.Status.Used = corev1.ResourceList{corev1.ResourcePods: resource.MustParse(used)}
		return q
	}
	if was, is := applied(start), applied(start.Add(time.Hour)); was.CreationTimestamp.Equal(&is.CreationTimestamp) {
		t.Errorf("created at %s in a View of an hour later", is.CreationTimestamp)
	}
	three := live("3")
	was := applied(start, three)
	if was.Spec.Hard.Pods().Value() != 9 || was.Status.Used.Pods().Value() != 3 {
		t.Errorf("laid over 3 used: %+v", was)
	}
	if applied(start.Add(time.Hour), three) != was {
		t.Error("the same object is merged again")
	}
	if applied(start, live("4")).Status.Used.Pods().Value() != 4 {
		t.Error("an object that changed keeps what was made of the one before")
	}
}
