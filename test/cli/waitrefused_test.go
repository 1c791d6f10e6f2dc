package cli

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cli"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
	kubeapi "github.com/kubectl-ctrl/kubectl-ctrl/test/apiserver"
)

// refusing is the condition of a set whose deletions a webhook refuses that fails.
const refusing = `, conditions: [{type: ReplicaFailure, status: "True", reason: FailedDelete, lastTransitionTime: %q, message: 'Internal error occurred: failed calling webhook "guard.shop": connection refused'}]}`

// TestWaitBlockedForRefused: what refuses each write of a sync keeps it from going on as
// soon as it blocks, which is for the user to say.
func TestWaitBlockedForRefused(t *testing.T) {
	t.Parallel()
	now := time.Now().UTC()
	set := strings.Replace(fmt.Sprintf(setOf, 1, 0, 1, 2), "replicas: 2", "replicas: 1", 1)
	text := strings.TrimSuffix(set, "}\n") + fmt.Sprintf(refusing, now.Format(time.RFC3339)) + "\n"
	for i := range 2 {
		text += fmt.Sprintf(podOf, i, now.Add(-time.Hour).Format(time.RFC3339), "True", true, "{running: {}}")
	}
	objs, err := bundle.ReadObjects([]string{"-"}, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	r := startWaitOn(t, kubeapi.New(objs), cli.Env{}, "--blocked-for", "0", "--timeout", "5s")
	r.ends(3, "")
	if got := r.out.String(); !strings.Contains(got, "  BLOCKED BY ") || !strings.HasSuffix(got, "\nreplicaset/web in shop: blocked, 2 available, 1 desired; deletion: webhook guard.shop fails.\n") {
		t.Errorf("not blocked by the webhook:\n%s", got)
	}
}
