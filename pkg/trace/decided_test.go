package trace_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// TestReasons: the machinery of a rollout in place and of an adoption is told, Pod by Pod.
func TestReasons(t *testing.T) {
	for record, wants := range map[string][]string{
		"hooks": {
			"decision clonesets                hooks/cart: why this sync acts, or may act", "set-state cart-qz99d (1 of 2): to PreparingUpdate: ",
			"revision cart-7bcdcbfb68: the template is new: revision 2 is created; its name is a hash of it and of status.collisionCount 0 [RevisionCreated]",
			"limit: updateNum 2: ", "order: state: PreparingUpdate; cart-qz99d: Normal [UpdatePreparing]",
			"waiting cart-qz99d: 1 of at most 1 Pods of the new revision are or become unavailable [TargetUnavailable]",
			"update-in-place cart-9g7bx: image c=example.com/c:2 [InPlaceUpdate]",
			`updates the whole object, which changes {"metadata":{"annotations":{"apps.kruise.io/inplace-update-state":`,
			"the kubelet restarts c (hash 1ad904a8 → 360cde4a) [ContainersChange]",
		},
		"race": {
			"decision replicasets              race/web: why this sync acts, or may act",
			"adopt stray (1 of 2): no controller, labels match; replicaset/front may adopt it first [AdoptContested]",
			`sends {"metadata":{"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web",`,
			"delete stray (possible): only if this controller adopts stray before another does [DeleteIfAdopted]",
		},
	} {
		kept, err := os.ReadFile("../../docs/examples/" + record + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		rec, err := trace.OpenRecord(bytes.NewReader(kept))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		o := trace.Options{Controllers: trace.Running(plugins.All(), nil), Out: printTo(t, &out, nil), Internals: &trace.Internals{}}
		if _, err := rec.Replay(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: nothing says %q", record, want)
			}
		}
		if n := strings.Count(out.String(), "adopt stray (1 of 2): no controller, labels match; replicaset/front may"); record == "race" && n != 1 {
			t.Errorf("the adoption is told %d times", n)
		}
	}
}
