package pvcprotection

import (
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
)

const deleted = "deletionTimestamp: \"2026-11-01T11:00:00Z\", finalizers: [kubernetes.io/pvc-protection]"

// TestDecide shows every rule, and that the renderer takes the Decision.
func TestDecide(t *testing.T) {
	fired := map[string]bool{}
	for _, c := range []struct{ claim, node, want string }{
		{deleted, "", "persistentvolumeclaim/data is released for deletion: no Pod uses it."},
		{deleted, "node-1", "persistentvolumeclaim/data stays as it is; next looked at when pod db on node-1 is gone."},
		{"labels: {}", "node-1", "persistentvolumeclaim/data stays as it is; next looked at on the deletion of the claim."},
		{"deletionTimestamp: \"2026-11-01T11:00:00Z\"", "", "persistentvolumeclaim/data stays as it is; next looked at never: the claim is not protected."},
	} {
		d := decide(t, c.claim, c.node)
		d.EachRuling(func(r *decision.Ruling) { fired[r.Rule] = true })
		var out strings.Builder
		if err := render.Explain(&out, d, render.Options{}); err != nil {
			t.Fatal(err)
		}
		if first, _, _ := strings.Cut(out.String(), "\n"); first != c.want {
			t.Errorf("%s, node %q: %s\nwant %s", c.claim, c.node, first, c.want)
		}
	}
	for _, r := range Rules {
		if !fired[r.ID] {
			t.Errorf("no case fires %s", r.ID)
		}
	}
}

func decide(t *testing.T, claim, node string) *decision.Decision {
	t.Helper()
	text := `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: shop, uid: c, creationTimestamp: "2026-11-01T10:00:00Z", ` + claim + `}
---
apiVersion: v1
kind: Pod
metadata: {name: db, namespace: shop, uid: p, creationTimestamp: "2026-11-01T10:00:00Z"}
spec: {nodeName: "` + node + `", volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]}
`
	src, err := bundle.Open([]string{"-"}, strings.NewReader(text), bundle.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.New(profile.Options{Emulate: "1.37"})
	if err != nil {
		t.Fatal(err)
	}
	v, err := src.Load(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	d, err := Decide(v.Reader(), p, view.Target{Kind: view.PersistentVolumeClaims, Namespace: "shop", Name: "data"})
	if err != nil {
		t.Fatal(err)
	}
	Rules.Phrase(d)
	d.Answer = Answer(d)
	return d
}
