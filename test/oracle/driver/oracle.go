package driver

import (
	"fmt"
	"time"

	utilfeature "k8s.io/apiserver/pkg/util/feature"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/contract"
)

// epoch is where testing/synctest starts a bubble's clock. Every answer is
// for this instant.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// oracle answers requests one after another.
type oracle struct {
	controllers map[string]*controller
	gates       *gates
}

// newOracle must be called inside the bubble.
func newOracle(up Upstream) *oracle {
	return &oracle{controllers: newControllers(up), gates: newGates(utilfeature.DefaultMutableFeatureGate)}
}

// answer never fails: what is wrong with a request is said in the response.
func (o *oracle) answer(req *contract.Request) *contract.Response {
	resp := &contract.Response{ID: req.ID}
	if err := o.dispatch(req, resp); err != nil {
		return &contract.Response{ID: req.ID, Error: err.Error()}
	}
	if now := time.Now(); !now.Equal(epoch) {
		return &contract.Response{ID: req.ID, Error: fmt.Sprintf("the frozen clock moved to %s", now.UTC())}
	}
	return resp
}

func (o *oracle) dispatch(req *contract.Request, resp *contract.Response) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic outside of a sync: %v", r)
		}
	}()
	if err := o.gates.apply(req.Gates); err != nil {
		return err
	}
	switch req.Op {
	case "", contract.OpSync:
		return o.answerSync(req, resp)
	case contract.OpLess:
		return o.answerLess(req, resp)
	case contract.OpClaim:
		return o.answerClaim(req, resp)
	case contract.OpEvents:
		return o.answerEvents(req, resp)
	}
	return fmt.Errorf("unknown op %q", req.Op)
}

func (o *oracle) controllerFor(kind string) (*controller, error) {
	c, ok := o.controllers[kind]
	if !ok {
		return nil, fmt.Errorf("unknown kind %q", kind)
	}
	return c, nil
}
