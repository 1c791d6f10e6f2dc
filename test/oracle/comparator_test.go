package oracle

import (
	"fmt"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/program"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/states"
)

// side pods are compared with each other in one request.
const side = 100

// TestComparator compares pods pair by pair, in both directions: five pairs for
// each state of TestSyncs, half a million when that takes its 100,000 states.
func TestComparator(t *testing.T) {
	eachVersion(t, func(t *testing.T, p *Process) {
		requests := 1 + 10*program.States(t, p.Version, share)/(side*side)
		wrong := 0
		ask := func(yield func(*contract.Request, int) bool) {
			for seed := range requests {
				if !yield(comparison(p.Version, seed), seed) {
					return
				}
			}
		}
		err := Ask(p, ask, func(req *contract.Request, seed int, resp *contract.Response) {
			for _, d := range differingPairs(t, p.Version, req, resp) {
				if wrong++; wrong <= 5 {
					t.Errorf("seed %d: %s", seed, d)
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		results.of(p.Version).Comparisons = requests * side * (side - 1) / 2
	})
}

func comparison(version string, seed int) *contract.Request {
	req := &contract.Request{Op: contract.OpLess, Pods: states.Pods(version, side, seed), Ranks: make([]int, side)}
	for i := range req.Ranks {
		req.Ranks[i] = i * seed % 3 % 2 // mostly alike
	}
	if seed%2 == 1 {
		req.Gates = gates(version)[seed/2%len(gates(version))]
	}
	return req
}

func gates(version string) []map[string]bool {
	v, err := profile.ParseVersion(version)
	if err != nil {
		panic(err) // the versions are directory names
	}
	return states.Gates(v)
}

func differingPairs(t *testing.T, version string, req *contract.Request, resp *contract.Response) []string {
	p, err := profile.New(profile.Options{Emulate: version, Gates: req.Gates})
	if err != nil {
		t.Fatal(err)
	}
	less := replicaset.Compared(p, states.Now, req.Pods, req.Ranks).Less
	var wrong []string
	for i := range req.Pods {
		for j := range req.Pods {
			if said, is := less(i, j), resp.Less[i*side+j]; said != is {
				wrong = append(wrong, fmt.Sprintf("gates %v, ranks %d %d: predicted %v, observed %v for\n%s%s",
					req.Gates, req.Ranks[i], req.Ranks[j], said, is, podLine(req.Pods[i]), podLine(req.Pods[j])))
			}
		}
	}
	return wrong
}
