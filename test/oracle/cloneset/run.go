package cloneset

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/cloneset/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/cloneset/states"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/program"
)

// orders is how many input orders every state is reconciled in.
const orders = 4

// tolerated is how many mismatches a run collects.
const tolerated = 20

// Mismatch is a state of which the plugin and upstream disagree.
type Mismatch struct {
	Seed        int
	Request     *contract.Request
	Decision    *decision.Decision
	Differences []string
}

// Result is what a run over one version's states came to.
type Result struct {
	Version    string         `json:"version"`
	States     int            `json:"states"`
	Syncs      int            `json:"syncs"`
	Mismatches int            `json:"mismatches"`
	LeftOut    map[string]int `json:"leftOut"`
	Rules      map[string]int `json:"rules"`
	// Bodies are the states whose objects were compared as the requests leave them.
	Bodies int        `json:"bodies"`
	Found  []Mismatch `json:"-"`
}

// Check asks the oracle about the states with seeds from first on, and
// compares.
// over ends the run early.
func Check(p *program.Process, version string, first, n int, over func() bool) (*Result, error) {
	r := &Result{Version: version, LeftOut: map[string]int{}, Rules: map[string]int{}}
	for seed := first; seed < first+n && !over(); seed++ {
		req, err := states.Draw(version, seed, stepOf(version))
		if err != nil {
			return r, fmt.Errorf("state %d: %w", seed, err)
		}
		req.Orders = permutations(len(req.Pods), uint64(seed), orders)
		d, resp, err := ask(p, version, req)
		if err != nil {
			return r, fmt.Errorf("state %d: %w\n%s", seed, err, show(req))
		}
		r.count(d)
		r.States++
		r.Syncs += len(resp.Runs)
		differences := r.differences(req, d, resp)
		if len(differences) == 0 {
			if differences, err = r.deeper(p, version, req, d, resp); err != nil {
				return r, fmt.Errorf("state %d: %w", seed, err)
			}
		}
		if len(differences) > 0 {
			if r.Mismatches++; len(r.Found) < tolerated {
				r.Found = append(r.Found, Mismatch{seed, req, d, differences})
			}
		}
	}
	return r, nil
}

// deeper compares what equal writes may hide: bodies, and choices that are several.
func (r *Result) deeper(p *program.Process, version string, req *contract.Request, d *decision.Decision, resp *contract.Response) ([]string, error) {
	differ, compared, err := bodies(version, req, &resp.Runs[0])
	if err != nil || len(differ) > 0 {
		return differ, err
	}
	if compared {
		r.Bodies++
	}
	return r.splits(p, version, req, d, resp)
}

func ask(p *program.Process, version string, req *contract.Request) (*decision.Decision, *contract.Response, error) {
	d, err := Predict(version, req)
	if err != nil {
		return nil, nil, err
	}
	resp := &contract.Response{}
	if err := p.Ask(req, resp); err != nil {
		return nil, nil, err
	}
	if resp.Error != "" {
		return nil, nil, errors.New(resp.Error)
	}
	return d, resp, nil
}

// permutations are n orders of so many pods: as given, and then at random.
func permutations(pods int, seed uint64, n int) [][]int {
	rng, all := rand.New(rand.NewPCG(seed, 0)), make([][]int, 0, n)
	given := make([]int, pods)
	for i := range given {
		given[i] = i
	}
	for all = append(all, given); pods > 1 && len(all) < n; {
		all = append(all, rng.Perm(pods))
	}
	return all
}

// differences are those of the first run that has any.
func (r *Result) differences(req *contract.Request, d *decision.Decision, resp *contract.Response) []string {
	for i := range resp.Runs {
		if why := leftOut(d, &resp.Runs[i]); why != "" {
			r.LeftOut[why]++
			continue
		}
		if diff := Compare(req, d, &resp.Runs[i]); len(diff) > 0 {
			slices.Sort(diff)
			return append(diff, fmt.Sprintf("in order %v; error %q", req.Orders[i], resp.Runs[i].Error))
		}
	}
	return nil
}

func (r *Result) count(d *decision.Decision) {
	here := map[string]bool{}
	d.EachRuling(func(ruling *decision.Ruling) {
		if ruling.Message == "" || strings.Contains(ruling.Message, "has no sentence") {
			panic(fmt.Sprintf("rule %s says nothing", ruling.Rule))
		}
		here[ruling.Rule] = true
	})
	for rule := range here {
		r.Rules[rule]++
	}
}

func show(req *contract.Request) string {
	text, err := json.Marshal(req)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
