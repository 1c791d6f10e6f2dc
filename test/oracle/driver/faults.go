package driver

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/edge"
)

var faultCalls = map[string]bool{
	contract.CallCreate: true, contract.CallDelete: true,
	contract.CallAdopt: true, contract.CallRelease: true,
	contract.CallRecheck: true, contract.CallStatus: true, contract.CallStatusGet: true,
}

// faults answers whether a call fails.
type faults []contract.Fault

func (fs faults) validate() error {
	for _, f := range fs {
		if !faultCalls[f.Call] {
			return fmt.Errorf("fault on unknown call %q", f.Call)
		}
		if err := edge.KnownReason(f.Reason); err != nil {
			return err
		}
	}
	return nil
}

// at returns the error of the index-th call of that kind, or nil.
func (fs faults) at(call string, index int) error {
	for _, f := range fs {
		if f.Call == call && f.Index == index {
			return edge.Refusal(f.Reason, f.Message)
		}
	}
	return nil
}

// on returns the error of that call on that pod, or nil.
func (fs faults) on(call, pod string) error {
	for _, f := range fs {
		if f.Call == call && f.Pod == pod {
			return edge.Refusal(f.Reason, f.Message)
		}
	}
	return nil
}
