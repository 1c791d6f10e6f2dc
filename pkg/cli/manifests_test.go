package cli

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
)

// TestManifestIsMergedOncePerObject: the rounds of a question share what a manifest makes of
// an object, until that is another one. A new object is created at the time of its View.
func TestManifestIsMergedOncePerObject(t *testing.T) {
	m := manifests{server: &serverSide{}, merges: map[string]merge{}}
	of := whatif.Manifest{Kind: view.Deployments, Namespace: "shop", Name: "web",
		JSON: []byte(`{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "namespace": "shop"}, "spec": {"paused": true}}`)}
	start := time.Date(2026, 11, 1, 3, 0, 0, 0, time.UTC)
	applied := func(at time.Time, live ...*appsv1.Deployment) *appsv1.Deployment {
		b := view.NewOpenBuilder(at)
		for _, d := range live {
			b.Add(view.Deployments, d)
		}
		v := b.View()
		obj, _, err := m.applied(&laid{View: v, reader: v.Reader()}, of)
		if err != nil {
			t.Fatal(err)
		}
		return obj.(*appsv1.Deployment)
	}
	live := func(replicas int32) *appsv1.Deployment {
		d := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop"}}
		d.Spec.Replicas = new(replicas)
		return d
	}
	if was, is := applied(start), applied(start.Add(time.Hour)); was.CreationTimestamp.Equal(&is.CreationTimestamp) {
		t.Errorf("created at %s in a View of an hour later", is.CreationTimestamp)
	}
	three := live(3)
	was := applied(start, three)
	if !was.Spec.Paused || *was.Spec.Replicas != 3 {
		t.Errorf("laid over 3 replicas: %+v", was.Spec)
	}
	if applied(start.Add(time.Hour), three) != was {
		t.Error("the same object is merged again")
	}
	if *applied(start, live(4)).Spec.Replicas != 4 {
		t.Error("an object that changed keeps what was made of the one before")
	}
}
