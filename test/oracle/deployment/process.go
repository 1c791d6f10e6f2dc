package deployment

import (
	"errors"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/deployment/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/program"
)

// rollout is the op of a Deployment's sync; other ops have other types.
const rollout = "rollout"

// ask asks an oracle one question.
func ask(p *program.Process, req *contract.Request) (*contract.Response, error) {
	req.Op = rollout
	resp := &contract.Response{}
	if err := p.Ask(req, resp); err != nil {
		return nil, err
	}
	if resp.Error != "" {
		return nil, errors.New(resp.Error)
	}
	return resp, nil
}
