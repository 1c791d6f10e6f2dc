package lineage_test

import (
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// TestNotServed: a server that denies a built-in kind is not believed, whatever it
// says that it serves; of another kind it has no objects.
func TestNotServed(t *testing.T) {
	for _, tt := range []struct {
		kind      view.Kind
		err       func(schema.GroupResource) error
		installed bool
		caveats   int
	}{
		{view.Pods, notFound, false, 1},
		{view.Pods, notFound, true, 1},
		{view.Pods, forbidden, false, 1},
		{view.CloneSets, notFound, false, 0},
		{view.CloneSets, notFound, true, 0},
		{view.CloneSets, forbidden, false, 0},
		{view.CloneSets, forbidden, true, 1},
	} {
		b := view.NewBuilder(clusterdsl.Now)
		need := view.Need{Kind: tt.kind, Namespace: clusterdsl.Namespace, Detail: view.Full}
		b.Reads(need, tt.err(schema.ParseGroupResource(tt.kind.GroupResource())))
		r := b.View().Reader()
		_ = r.Err(need)
		got := lineage.NotRead(r, lineage.Telling{
			Installed: func(view.Kind) bool { return tt.installed }, Concerns: func(view.Kind) bool { return true },
			IfMissing: func(view.Read) string { return "why" }, Partial: view.Read.Partial,
		})
		if len(got) != tt.caveats {
			t.Errorf("%s, installed %t, %v: caveats %v, want %d", tt.kind.Kind, tt.installed, r.Err(need), got, tt.caveats)
		}
	}
}

func notFound(r schema.GroupResource) error  { return apierrors.NewNotFound(r, "") }
func forbidden(r schema.GroupResource) error { return apierrors.NewForbidden(r, "", nil) }
