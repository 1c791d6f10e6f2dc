package deployment

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/deployment"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/deployment/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/deployment/states"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/program"
)

// share is how many states per version an everyday run takes; $ORACLE_STATES
// sets another number.
const share = 2000

// tolerated is how many mismatches are shown.
const tolerated = 3

// thorough is how many states have to fire every rule.
const thorough = 20_000

func TestSyncs(t *testing.T) {
	program.Each(t, "..", program.Kubernetes, check)
}

// check compares the states with seeds from $ORACLE_SEED on.
func check(t *testing.T, p *program.Process, version string) {
	n, first := program.States(t, version, share), program.Setting(t, "ORACLE_SEED", 1)
	step := stepOf(version)
	fired, mismatches := map[string]int{}, 0
	over, asked := program.Over(t), 0
	for seed := first; seed < first+n && !over(); seed++ {
		asked++
		req, err := states.Draw(version, seed, step)
		if err != nil {
			t.Fatal(err)
		}
		r, differences := question(t, p, version, req)
		count(r.Decision, fired)
		if len(differences) == 0 {
			continue
		}
		if mismatches++; mismatches <= tolerated {
			text, _ := json.MarshalIndent(req, "", " ")
			if len(text) > 12_000 {
				text = text[:12_000]
			}
			t.Errorf("seed %d:\n%s\n%s\n%s", seed, r.Decision.Answer, strings.Join(differences, "\n"), text)
		}
	}
	results.add(result{Version: version, States: asked, Syncs: asked, Mismatches: mismatches, Rules: fired})
	missing := missing(fired)
	t.Logf("%d states, %d mismatches, %d rules, missing %v", asked, mismatches, len(fired), missing)
	if asked >= thorough && len(missing) > 0 {
		t.Errorf("no state fires %v", missing)
	}
	if os.Getenv("ORACLE_RULES") != "" {
		t.Log(fired)
	}
}

func question(t *testing.T, p *program.Process, version string, req *contract.Request) (*deployment.Result, []string) {
	t.Helper()
	r, err := Predict(version, req)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := ask(p, req)
	if err != nil {
		t.Fatal(err)
	}
	differences, err := Compare(r, resp)
	if err != nil {
		t.Fatal(err)
	}
	return r, differences
}

// stepOf lets states grow by what the plugin says of them; whether that is
// right does not matter for a state.
func stepOf(version string) states.Step {
	return func(req *contract.Request) ([]contract.Write, error) {
		r, err := Predict(version, req)
		if err != nil {
			return nil, err
		}
		return writesOf(r)
	}
}

func count(d *decision.Decision, fired map[string]int) {
	here := map[string]bool{}
	d.EachRuling(func(r *decision.Ruling) {
		if r.Message == "" || strings.Contains(r.Message, "has no sentence") {
			panic(fmt.Sprintf("rule %s says nothing", r.Rule))
		}
		here[r.Rule] = true
	})
	for rule := range here {
		fired[rule]++
	}
}

// beyond are rules that no state of a single Deployment reaches: no sync reads
// a Lease, and what is refused later is said of a change alone.
var beyond = []string{ownership.AdoptContested, "ForeignReference", lease.Expired, lease.Ignored, deployment.PodsRefused}

func missing(fired map[string]int) []string {
	var none []string
	for _, id := range deployment.Rules.IDs() {
		if fired[id] == 0 && !slices.Contains(beyond, id) {
			none = append(none, id)
		}
	}
	return none
}
