package statefulset

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/statefulset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/program"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/statefulset/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/statefulset/states"
)

// share is how many states per version an everyday run takes; $ORACLE_STATES
// sets another number.
const share = 2000

// tolerated is how many mismatches are shown, and thorough how many states have to
// fire every rule.
const (
	tolerated = 3
	thorough  = 20_000
)

func TestSyncs(t *testing.T) {
	program.Each(t, "..", program.Kubernetes, func(t *testing.T, p *program.Process, version string) {
		if version == "1.23" || version == "1.24" {
			t.Skip("StatefulSets are modelled from 1.29 on")
		}
		check(t, &run{t: t, p: p, version: version, result: result{Version: version, Rules: map[string]int{}, Traits: map[string]int{}, Requests: map[string]int{}}})
	})
}

// run asks one oracle.
type run struct {
	t       *testing.T
	p       *program.Process
	version string
	result
}

// check compares the states with seeds from $ORACLE_SEED on.
func check(t *testing.T, r *run) {
	n, first := program.States(t, r.version, share), program.Setting(t, "ORACLE_SEED", 1)
	for seed := first; seed < first+n; seed++ {
		state, err := states.Draw(r.version, seed)
		if err != nil {
			t.Fatal(err)
		}
		for trait := range state.Traits {
			r.Traits[trait]++
		}
		got, resp, differences := r.question(state.Request)
		r.count(got.Decision, resp)
		if len(differences) == 0 {
			continue
		}
		if r.Mismatches++; r.Mismatches <= tolerated {
			r.report(seed, state.Request)
		}
	}
	r.States, r.Syncs = n, n
	results.add(r.result)
	r.demand(n)
}

// demand makes sure that the states were worth it.
func (r *run) demand(n int) {
	missing, scarce := missing(r.version, r.Rules), r.scarce(n)
	r.t.Logf("%d states, %d mismatches, %d rules, missing %v", n, r.Mismatches, len(r.Rules), missing)
	if n >= thorough && len(missing) > 0 {
		r.t.Errorf("no state fires %v", missing)
	}
	if n >= share && len(scarce) > 0 {
		r.t.Errorf("too few states: %v", scarce)
	}
	if r.Mismatches > 0 {
		r.t.Errorf("%d of %d states disagree", r.Mismatches, n)
	}
	if os.Getenv("ORACLE_RULES") != "" {
		r.t.Log(r.Rules, r.Traits, r.Requests)
	}
}

func (r *run) scarce(n int) (all []string) {
	for trait, least := range states.Traits {
		if have := r.Traits[trait]; have*1000 < least*n {
			all = append(all, fmt.Sprintf("%s: %d, at least %d", trait, have, least*n/1000))
		}
	}
	return all
}

func (r *run) question(req *contract.Request) (*statefulset.Result, *contract.Response, []string) {
	r.t.Helper()
	predicted, err := Predict(r.version, req)
	if err != nil {
		r.t.Fatal(err)
	}
	resp, err := ask(r.p, req)
	if err != nil {
		r.t.Fatal(err)
	}
	differences, err := Compare(predicted, req, resp)
	if err != nil {
		r.t.Fatal(err)
	}
	return predicted, resp, differences
}

// report shows a mismatch, as small as it gets.
func (r *run) report(seed int, req *contract.Request) {
	if len(req.Pods) < 30 {
		req = shrink(req, func(smaller *contract.Request) bool {
			_, _, differences := r.question(smaller)
			return len(differences) > 0
		})
	}
	predicted, _, differences := r.question(req)
	text, _ := json.MarshalIndent(req, "", " ")
	if len(text) > 12_000 {
		text = text[:12_000]
	}
	r.t.Errorf("seed %d:\n%s\n%s\n%s", seed, predicted.Decision.Answer, strings.Join(differences, "\n"), text)
}

func (r *run) count(d *decision.Decision, resp *contract.Response) {
	rules, requests := map[string]bool{}, map[string]bool{}
	d.EachRuling(func(r *decision.Ruling) {
		if r.Message == "" || strings.Contains(r.Message, "has no sentence") {
			panic(fmt.Sprintf("rule %s says nothing", r.Rule))
		}
		rules[r.Rule] = true
	})
	for _, w := range resp.Writes {
		requests[w.Call] = true
	}
	for rule := range rules {
		r.Rules[rule]++
	}
	for call := range requests {
		r.Requests[call]++
	}
}

// missing are the rules of the version that no state fired.
func missing(version string, fired map[string]int) []string {
	var none []string
	for _, id := range statefulset.Rules.IDs() {
		if fired[id] == 0 && !slices.Contains(beyond(version), id) {
			none = append(none, id)
		}
	}
	return none
}
