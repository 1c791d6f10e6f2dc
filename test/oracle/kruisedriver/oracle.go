package kruisedriver

import (
	"fmt"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/kruisedriver/contract"
)

// oracle answers requests one after another.
type oracle struct {
	up         Upstream
	t          *testing.T
	controller *controller
	gates      *gates
}

func newOracle(up Upstream, t *testing.T) *oracle {
	return &oracle{up: up, t: t, controller: newController(), gates: newGates()}
}

// answer never fails: what is wrong with a request is said in the response.
func (o *oracle) answer(req *contract.Request) *contract.Response {
	resp := &contract.Response{ID: req.ID}
	if err := o.dispatch(req, resp); err != nil {
		return &contract.Response{ID: req.ID, Error: err.Error()}
	}
	return resp
}

func (o *oracle) dispatch(req *contract.Request, resp *contract.Response) error {
	if req.Now != nil && req.Now.Before(epoch) {
		return fmt.Errorf("now is before %s", epoch)
	}
	if err := o.gates.apply(req.Gates); err != nil {
		return err
	}
	if err := o.up.applyFlags(req.Flags); err != nil {
		return err
	}
	switch req.Op {
	case "", contract.OpSync:
		return o.answerSync(req, resp)
	case contract.OpDiffs:
		return o.answerDiffs(req, resp)
	case contract.OpLess:
		return o.answerLess(req, resp)
	case contract.OpSort:
		return o.answerSort(req, resp)
	}
	return fmt.Errorf("unknown op %q", req.Op)
}

// inBubble runs f at the request's now. A panic of the driver or of what it
// calls outside of a reconcile is an error of the request.
func (o *oracle) inBubble(req *contract.Request, f func() error) (err error) {
	now := epoch
	if req.Now != nil {
		now = *req.Now
	}
	at(o.t, now, func() {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("panic outside of a reconcile: %v", r)
			}
		}()
		err = f()
	})
	return err
}
