package deployment_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/deployment"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/sketch"
)

// TestGoldens runs testdata: each file shows one rule, which it is named
// after, and must fire it.
func TestGoldens(t *testing.T) {
	fired := map[string]bool{}
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var v *view.View
		here := map[string]bool{}
		datadriven.RunTest(t, path, func(t *testing.T, td *datadriven.TestData) string {
			switch td.Cmd {
			case "cluster":
				var err error
				if v, err = sketch.Parse(td.Input); err != nil {
					td.Fatalf(t, "%v", err)
				}
				return ""
			case "sync":
				d := decideGolden(t, td, v)
				d.EachRuling(func(r *decision.Ruling) { fired[r.Rule], here[r.Rule] = true, true })
				return sketch.Prose(d, strings.Split(arg(td, "show", "next"), ",")...)
			}
			td.Fatalf(t, "unknown directive %q", td.Cmd)
			return ""
		})
		if rule := filepath.Base(path); !here[rule] {
			t.Errorf("%s shows no case of the rule it is named after", path)
		}
	})
	for _, r := range deployment.Rules {
		if !fired[r.ID] && r.ID != "ForeignReference" { // Deployments look sets up by UID alone
			t.Errorf("no golden fires rule %s", r.ID)
		}
	}
}

// decideGolden reads "sync version=1.34 fail=(0:conflict,1:server) twin=web-b show=(status,next)".
func decideGolden(t *testing.T, td *datadriven.TestData, v *view.View) *decision.Decision {
	t.Helper()
	p, err := profile.New(profile.Options{Emulate: arg(td, "version", "1.37")})
	if err != nil {
		t.Fatal(err)
	}
	target := view.Target{Kind: view.Deployments, Namespace: sketch.Namespace, Name: "web"}
	d, err := deployment.Decide(v.Reader(), p, target, deployment.Given{API: api(td, v)})
	if err != nil {
		t.Fatal(err)
	}
	deployment.Rules.Phrase(d)
	d.Answer = deployment.Answer(d)
	return d
}

func arg(td *datadriven.TestData, key, otherwise string) string {
	for _, a := range td.CmdArgs {
		if a.Key == key {
			return strings.Join(a.Vals, ",")
		}
	}
	return otherwise
}

var refusals = map[string]error{
	"server": errors.New("the server said no"), "exists": deployment.ErrAlreadyExists,
	"terminating": deployment.ErrNamespaceTerminating, "conflict": deployment.ErrConflict,
}

// api lets the calls in fail=(0:server,…) fail, counted over the sync.
func api(td *datadriven.TestData, v *view.View) deployment.API {
	calls := -1
	return deployment.API{
		Refuse: func(deployment.Write) error {
			calls++
			for _, item := range strings.Split(arg(td, "fail", ""), ",") {
				if call, how, _ := strings.Cut(item, ":"); call == fmt.Sprint(calls) {
					return refusals[how]
				}
			}
			return nil
		},
		SameName: func() *appsv1.ReplicaSet {
			need := view.Need{Kind: view.ReplicaSets, Namespace: sketch.Namespace, Name: arg(td, "twin", "")}
			rs, _ := view.Get[*appsv1.ReplicaSet](v.Reader(), need)
			return rs
		},
		Live: func() (metav1.Object, error) {
			need := view.Need{Kind: view.Deployments, Namespace: sketch.Namespace, Name: arg(td, "live", "web")}
			d, _ := view.Get[*appsv1.Deployment](v.Reader(), need)
			return d, nil
		},
	}
}

// TestGoldensAreNamedAfterRules keeps stray files out.
func TestGoldensAreNamedAfterRules(t *testing.T) {
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if _, ok := deployment.Rules.Find(e.Name()); !ok {
			t.Errorf("testdata/%s is named after no rule", e.Name())
		}
	}
}
