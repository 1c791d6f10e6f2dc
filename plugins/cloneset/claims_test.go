package cloneset

import (
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// TestClaimsMissed: files without volume claims lack some only of a set that has templates for
// them.
func TestClaimsMissed(t *testing.T) {
	for fields, want := range map[string]bool{"": false, " claims=data": true} {
		all, err := clusterdsl.Parse("cs web selector=app=web replicas=1 image=web:1" + fields + "\nrev web-a of=cs/web number=1 app=web image=web:1\nkpod web-0 of=cs/web app=web rev=web-a id=0 state=Normal node=n0 ready=10m")
		if err != nil {
			t.Fatal(err)
		}
		b := view.NewOpenBuilder(all.Now())
		for _, k := range view.Kinds() {
			for _, o := range all.All(k) {
				b.Add(k, o)
			}
		}
		r := b.View().Reader()
		if _, err := Decide(r, profile.Profile{}, view.Target{Kind: api.Kinds[0], Namespace: "shop", Name: "web"}, reconcile.Given{}); err != nil {
			t.Fatal(err)
		}
		if got := slices.ContainsFunc(r.Gaps(), func(g view.Note) bool { return strings.Contains(g.Message, "volume claims") }); got != want {
			t.Errorf("with%s: %v", fields, r.Gaps())
		}
	}
}
