package statefulset

import (
	"errors"

	oracle "github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/program"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/statefulset/contract"
)

// ask asks an oracle one question.
func ask(p *program.Process, req *contract.Request) (*contract.Response, error) {
	req.Op = oracle.OpStatefulSet
	resp := &contract.Response{}
	if err := p.Ask(req, resp); err != nil {
		return nil, err
	}
	if resp.Error != "" {
		return nil, errors.New(resp.Error)
	}
	return resp, nil
}
