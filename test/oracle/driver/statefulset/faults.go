package statefulset

import (
	"errors"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/edge"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/statefulset/contract"
)

// faults answers whether a call fails.
type faults struct {
	all []contract.Fault
	// met is how often each has failed a call.
	met []int
}

func newFaults(all []contract.Fault) (faults, error) {
	var err error
	for _, f := range all {
		err = errors.Join(err, edge.KnownReason(f.Reason))
	}
	return faults{all, make([]int, len(all))}, err
}

// of is the error of a call, or nil.
func (fs faults) of(call, name string) error {
	for i, f := range fs.all {
		if f.Call != call || f.Name != "" && f.Name != name || f.Times > 0 && fs.met[i] >= f.Times {
			continue
		}
		fs.met[i]++
		return edge.Refusal(f.Reason, f.Message)
	}
	return nil
}
