package cloneset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/cloneset/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/program"
)

// moreOrders are asked for, one after another, where fewer show no difference: a choice that
// takes one of many pods of a revision may look constant in a few dozen orders.
var moreOrders = []int{40, 2000}

// splits finds choices that are said to be one and are several: of the pods of
// each revision, the controller takes as many in every order. How scattering
// orders pods that tie is not told, and said so.
func (r *Result) splits(p *program.Process, version string, req *contract.Request, d *decision.Decision, resp *contract.Response) ([]string, error) {
	suspect := constant(req, d, resp.Runs)
	if len(suspect) == 0 || len(req.Faults) > 0 || caveat(d, "TiesScattered") {
		return nil, nil
	}
	for _, n := range moreOrders {
		again := *req
		again.Orders = permutations(len(req.Pods), uint64(r.States), n)
		_, more, err := ask(p, version, &again)
		if err != nil {
			return nil, err
		}
		if suspect = constant(&again, d, more.Runs); len(suspect) == 0 {
			break
		}
	}
	return suspect, nil
}

// constant lists the choices over several revisions of whose pods every run takes
// the same numbers.
func constant(req *contract.Request, d *decision.Decision, runs []contract.Run) []string {
	revision := map[string]string{}
	for _, p := range req.Pods {
		revision[p.Name] = short(p.Labels[revisionLabel])
	}
	choices, taken := predicted(d).choices, map[decision.Pool]map[string]bool{}
	mixed := map[decision.Pool]map[string]bool{}
	for pool := range choices {
		taken[pool], mixed[pool] = map[string]bool{}, map[string]bool{}
	}
	for i := range runs {
		if leftOut(d, &runs[i]) != "" {
			return nil
		}
		is, says := observe(req, &runs[i]), predicted(d)
		says.name(short(is.revision))
		for pool, c := range says.choices {
			of := map[string]int{}
			for line := range c.deeds {
				from := revision[strings.Fields(line)[1]]
				mixed[pool][from] = true
				if is.deeds[line] {
					of[from]++
				}
			}
			taken[pool][fmt.Sprint(of)] = true
		}
	}
	var found []string
	for pool, c := range choices {
		if len(mixed[pool]) > 1 && len(taken[pool]) == 1 && !c.AtMost {
			found = append(found, fmt.Sprintf("choice %q is several: each of %d orders takes %v", pool.Of, len(runs), taken[pool]))
		}
	}
	slices.Sort(found)
	return found
}
