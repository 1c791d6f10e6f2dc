package plugins_test

import (
	"testing"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/deployment"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// TestRefused shows which evidence keeps a trace from asking why a controller
// does not act: what refuses writes now, and events while they are fresh and
// nothing was created after them.
func TestRefused(t *testing.T) {
	const long = time.Hour
	for _, c := range []struct {
		controller, rule, age string
		created               time.Duration
		want                  bool
	}{
		{"replicaset", replicaset.ReplicaFailure, "1h0m0s", long, true},
		{"replicaset", replicaset.QuotaShortfall, "", long, true},
		{"replicaset", replicaset.NamespaceTerminating, "", long, true},
		{"replicaset", replicaset.FailedCreateEvent, "1m59s", long, true},
		{"replicaset", replicaset.FailedCreateEvent, "2m0s", long, false},
		{"replicaset", replicaset.FailedCreateEvent, "31s", 30 * time.Second, true},
		{"replicaset", replicaset.FailedCreateEvent, "32s", 30 * time.Second, false},
		{"replicaset", replicaset.FailedCreateEvent, "", long, false},
		{"cloneset", rules.BudgetForbids, "", long, true},
		{"cloneset", rules.FailedEvent, "1m0s", long, true},
		{"cloneset", rules.FailedEvent, "3m0s", long, false},
		{"cloneset", rules.FailureStored, "1m0s", long, false}, // it stays when the cause is gone
		{"deployment", deployment.RetryWithBackoff, "", long, false},
	} {
		for _, r := range plugins.All() {
			if r.ID != c.controller {
				continue
			}
			d := &decision.Decision{AsOf: clusterdsl.Now, Evidence: []decision.Evidence{{Ruling: decision.Ruled(c.rule)}}}
			if age, err := time.ParseDuration(c.age); err == nil {
				d.Evidence[0].At = clusterdsl.Now.Add(-age)
			}
			if got := r.Agent.Refused(d, c.created); got != c.want {
				t.Errorf("%s: %s of age %q, created %v ago: refused %v", c.controller, c.rule, c.age, c.created, got)
			}
		}
	}
}
