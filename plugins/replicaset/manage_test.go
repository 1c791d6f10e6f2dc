package replicaset_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// TestDeletionBurst holds the limit of one sync from both sides: it ranks when
// more Pods are to be deleted than it takes, and when just as many.
func TestDeletionBurst(t *testing.T) {
	for _, c := range []struct{ have, want, deleted int }{
		{have: 620, want: 10, deleted: 500},
		{have: 501, want: 0, deleted: 500},
		{have: 500, want: 0, deleted: 500},
		{have: 510, want: 20, deleted: 490},
	} {
		var b strings.Builder
		fmt.Fprintf(&b, "rs web selector=app=web replicas=%d status=%d\n", c.want, c.have)
		for i := range c.have {
			fmt.Fprintf(&b, "pod p%04d of=rs/web app=web node=n%d ready=%dm\n", i, i, i+1)
		}
		v, err := clusterdsl.Parse(b.String())
		if err != nil {
			t.Fatal(err)
		}
		p, err := profile.New(profile.Options{Emulate: "1.37"})
		if err != nil {
			t.Fatal(err)
		}
		d, err := replicaset.Decide(v.Reader(), p, view.Target{Kind: view.ReplicaSets, Namespace: clusterdsl.Namespace, Name: "web"}, replicaset.Given{})
		if err != nil {
			t.Fatal(err)
		}
		if n := d.Summary.DeleteCertain + d.Summary.DeletePossible; n != c.deleted {
			t.Errorf("%d Pods, %d desired: %d are deleted, want %d", c.have, c.want, n, c.deleted)
		}
	}
}
