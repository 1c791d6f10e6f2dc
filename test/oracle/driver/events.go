package driver

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/contract"
)

// answerEvents lets the real event handlers see the events.
func (o *oracle) answerEvents(req *contract.Request, resp *contract.Response) (err error) {
	switch req.Kind {
	case contract.KindDeployment:
		resp.Events, err = o.rollouts.Events(req.Events)
		return err
	case contract.KindStatefulSet:
		resp.Events, err = o.statefulSets.Events(req.Events)
		return err
	}
	c, err := o.controllerFor(req.Kind)
	if err != nil {
		return err
	}
	if err := c.fill(setObjects(req), nil); err != nil {
		return err
	}
	for key, expected := range req.Memory {
		if err := c.expectations.reset(key, expected, 0); err != nil {
			return err
		}
	}
	resp.Events, err = c.listener.Play(req.Events, func() map[string]*contract.Expectations { return c.remembered(req) })
	return err
}

// remembered is what is expected of the keys of the request.
func (c *controller) remembered(req *contract.Request) map[string]*contract.Expectations {
	memory := map[string]*contract.Expectations{}
	for key := range req.Memory {
		if seen := c.expectations.read(key); seen != nil {
			memory[key] = seen
		}
	}
	return memory
}
