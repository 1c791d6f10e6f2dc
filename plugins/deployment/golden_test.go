package deployment_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/deployment"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/golden"
)

// TestGoldens shows every rule of the plugin.
func TestGoldens(t *testing.T) {
	golden.Suite{
		Rules:       deployment.Rules,
		Retries:     []string{deployment.RetryWithBackoff, deployment.RetryAfterOwnWrite},
		Decide:      decideGolden,
		Unreachable: []string{"ForeignReference"}, // Deployments look sets up by UID alone
		Show:        "next",
	}.Run(t)
}

// decideGolden reads "sync version=1.34 fail=(0:conflict,1:server) twin=web-b change=yes
// show=(status,next)".
func decideGolden(t *testing.T, td *datadriven.TestData, v *view.View) *decision.Decision {
	t.Helper()
	p, err := profile.New(profile.Options{Emulate: golden.Arg(td, "version", "1.37")})
	if err != nil {
		t.Fatal(err)
	}
	target := view.Target{Kind: view.Deployments, Namespace: clusterdsl.Namespace, Name: golden.Arg(td, "name", "web")}
	if golden.Arg(td, "change", "") != "" {
		v = v.AsWhatIf()
	}
	d, err := deployment.Decide(v.Reader(), p, target, deployment.Given{API: api(td, v)})
	if err != nil {
		t.Fatal(err)
	}
	deployment.Rules.Phrase(d)
	d.Answer = deployment.Answer(d)
	return d
}

var refusals = map[string]error{
	"server": errors.New("the server said no"), "exists": cluster.ErrAlreadyExists,
	"terminating": cluster.ErrNamespaceTerminating, "conflict": cluster.ErrConflict,
}

// api lets the calls in fail=(0:server,…) fail, counted over the sync.
func api(td *datadriven.TestData, v *view.View) deployment.API {
	calls := -1
	return deployment.API{
		Refuse: func(cluster.Write) error {
			calls++
			for item := range strings.SplitSeq(golden.Arg(td, "fail", ""), ",") {
				if call, how, _ := strings.Cut(item, ":"); call == fmt.Sprint(calls) {
					return refusals[how]
				}
			}
			return nil
		},
		SameName: func() *appsv1.ReplicaSet {
			need := view.Need{Kind: view.ReplicaSets, Namespace: clusterdsl.Namespace, Name: golden.Arg(td, "twin", "")}
			rs, _ := view.Get[*appsv1.ReplicaSet](v.Reader(), need)
			return rs
		},
		Live: func() (metav1.Object, error) {
			need := view.Need{Kind: view.Deployments, Namespace: clusterdsl.Namespace, Name: golden.Arg(td, "live", "web")}
			d, _ := view.Get[*appsv1.Deployment](v.Reader(), need)
			return d, nil
		},
	}
}
