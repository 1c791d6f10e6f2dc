package cli

import (
	"testing"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestNamespaceIsReadAlone: who may read one namespace may not list all, which an answer
// needs only for an error.
func TestNamespaceIsReadAlone(t *testing.T) {
	r := view.NewBuilder(time.Time{}).View().Reader()
	_, err := noNamespace(r, false, "shop")
	if asked := r.Missing(); err != nil || len(asked) != 1 || asked[0].Name != "shop" {
		t.Errorf("asked for %v, error %v", asked, err)
	}
}
