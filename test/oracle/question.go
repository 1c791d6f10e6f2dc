package oracle

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
)

// orders is how many input orders a state is synced in, if it has as many;
// $ORACLE_ORDERS sets another number.
var orders = func() int {
	if n, err := strconv.Atoi(os.Getenv("ORACLE_ORDERS")); err == nil && n > 0 {
		return n
	}
	return 6
}()

// ordersOf is that of a state. Syncs of hundreds of Pods take as long as a hundred
// others; which Pods are created does not hang on an order.
func ordersOf(req *contract.Request, d *decision.Decision) int {
	switch {
	case d.Summary.Create > 16:
		return 1
	case len(req.Pods) > 100:
		return min(orders, 3)
	}
	return orders
}

// Question is a state with what the plugin says of it.
type Question struct {
	Request  *contract.Request
	Decision *decision.Decision
}

// NewQuestion predicts the outcome of a state and gives it its orders.
func NewQuestion(version string, req *contract.Request, seed uint64) (Question, error) {
	d, err := Predict(version, req)
	if err != nil {
		return Question{}, err
	}
	if dropUndetermined(req, d) {
		if d, err = Predict(version, req); err != nil {
			return Question{}, err
		}
	}
	req.Orders = Orders(len(req.Pods), ordersOf(req, d), seed)
	return Question{req, d}, nil
}

// dropUndetermined removes refused deletions of some pods of a group of which
// chance picks: whether they are met at all is chance too. A refusal of the
// whole group has a determined outcome and stays.
func dropUndetermined(req *contract.Request, d *decision.Decision) bool {
	_, possible := victims(d)
	atRisk := func(f contract.Fault) bool {
		return f.Call == contract.CallDelete && slices.ContainsFunc(possible, func(key string) bool {
			return key == d.Target.Namespace+"/"+f.Pod
		})
	}
	kinds, refused := map[string]bool{}, map[string]bool{}
	for _, f := range req.Faults {
		if atRisk(f) && !refused[f.Pod] { // the first fault on a pod counts
			kinds[f.Reason], refused[f.Pod] = true, true
		}
	}
	if len(refused) == 0 || len(refused) == len(possible) && len(kinds) == 1 {
		return false
	}
	req.Faults = slices.DeleteFunc(req.Faults, atRisk)
	return true
}

// Orders are n different orders of so many pods, or all there are: as given,
// reversed, then at random.
func Orders(pods, n int, seed uint64) [][]int {
	given := make([]int, pods)
	for i := range given {
		given[i] = i
	}
	reversed := slices.Clone(given)
	slices.Reverse(reversed)
	all, rng := [][]int{given}, rand.New(rand.NewPCG(seed, 0))
	for next := reversed; len(all) < min(n, permutations(pods, n)); next = rng.Perm(pods) {
		if !slices.ContainsFunc(all, func(o []int) bool { return slices.Equal(o, next) }) {
			all = append(all, next)
		}
	}
	return all
}

// permutations is pods!, or enough as soon as it is reached.
func permutations(pods, enough int) int {
	count := 1
	for i := 2; i <= pods && count < enough; i++ {
		count *= i
	}
	return count
}
