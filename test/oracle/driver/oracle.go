package driver

import (
	"encoding/json"
	"fmt"
	"time"

	utilfeature "k8s.io/apiserver/pkg/util/feature"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/edge"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/rollout"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/statefulset"
)

// epoch is where testing/synctest starts a bubble's clock. Every answer is
// for this instant.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// oracle answers requests one after another.
type oracle struct {
	controllers  map[string]*controller
	rollouts     *rollout.Controller
	statefulSets *statefulset.Controller
	gates        *edge.Gates
	ops          map[string]op
}

// op answers one request. Its types are its own; those of ID, Op, Gates and
// Error are the same everywhere.
type op func(line []byte) (any, error)

// newOracle must be called inside the bubble.
func newOracle(up Upstream) *oracle {
	o := &oracle{
		controllers: newControllers(up), rollouts: rollout.New(up.NewDeploymentController),
		statefulSets: statefulset.New(up.NewStatefulSetController),
		gates:        edge.NewGates(utilfeature.DefaultMutableFeatureGate),
	}
	o.ops = map[string]op{
		"": on(o.answerSync), contract.OpSync: on(o.answerSync), contract.OpLess: on(o.answerLess),
		contract.OpClaim: on(o.answerClaim), contract.OpEvents: on(o.answerEvents),
		contract.OpRollout: o.rollouts.Answer, contract.OpStatefulSet: o.statefulSets.Answer,
	}
	return o
}

// on answers requests of package contract.
func on(answer func(*contract.Request, *contract.Response) error) op {
	return func(line []byte) (any, error) {
		req := &contract.Request{}
		if err := json.Unmarshal(line, req); err != nil {
			return nil, unusable(err)
		}
		resp := &contract.Response{ID: req.ID}
		return resp, answer(req, resp)
	}
}

func unusable(err error) error { return fmt.Errorf("request is not usable: %w", err) }

// answer never fails: what is wrong with a request is said in the response.
func (o *oracle) answer(line []byte) any {
	var head struct {
		ID    string          `json:"id"`
		Op    string          `json:"op"`
		Gates map[string]bool `json:"gates"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return &contract.Response{ID: head.ID, Error: unusable(err).Error()}
	}
	resp, err := o.dispatch(head.Op, head.Gates, line)
	if err != nil {
		return &contract.Response{ID: head.ID, Error: err.Error()}
	}
	if now := time.Now(); !now.Equal(epoch) {
		return &contract.Response{ID: head.ID, Error: fmt.Sprintf("the frozen clock moved to %s", now.UTC())}
	}
	return resp
}

func (o *oracle) dispatch(name string, gates map[string]bool, line []byte) (resp any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic outside of a sync: %v", r)
		}
	}()
	if err := o.gates.Apply(gates); err != nil {
		return nil, err
	}
	answer, ok := o.ops[name]
	if !ok {
		return nil, fmt.Errorf("unknown op %q", name)
	}
	return answer(line)
}

func (o *oracle) controllerFor(kind string) (*controller, error) {
	c, ok := o.controllers[kind]
	if !ok {
		return nil, fmt.Errorf("unknown kind %q", kind)
	}
	return c, nil
}
