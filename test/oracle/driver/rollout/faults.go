package rollout

import (
	"errors"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/edge"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/rollout/contract"
)

// faults answers whether a call fails.
type faults []contract.Fault

func (fs faults) validate() (err error) {
	for _, f := range fs {
		err = errors.Join(err, edge.KnownReason(f.Reason))
	}
	return err
}

// of returns the error of a call, or nil: patches go by name, the recheck is
// one, and all other writes are counted.
func (fs faults) of(call, name string, index int) error {
	for _, f := range fs {
		if matches(f, call, name, index) {
			return edge.Refusal(f.Reason, f.Message)
		}
	}
	return nil
}

func matches(f contract.Fault, call, name string, index int) bool {
	switch call {
	case contract.CallRecheck:
		return f.Call == call
	case contract.CallPatchSet:
		return f.Call == call && f.Name == name
	}
	return f.Call == contract.CallAny && f.Index == index
}
