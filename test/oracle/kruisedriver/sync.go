package kruisedriver

import (
	"k8s.io/apimachinery/pkg/util/rand"

	"github.com/openkruise/kruise/pkg/controller/cloneset/utils"
	"github.com/openkruise/kruise/pkg/util"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/kruisedriver/contract"
)

// answerSync runs one fresh reconcile per order.
func (o *oracle) answerSync(req *contract.Request, resp *contract.Response) error {
	s, err := prepare(req, o.up.NewImagePullJob)
	if err != nil {
		return err
	}
	for _, order := range ordersOf(req) {
		err := o.inBubble(req, func() error {
			run, err := o.controller.run(s, order)
			resp.Runs = append(resp.Runs, run)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// run resets all that a reconcile leaves behind in the process, and does one.
func (c *controller) run(s *state, order []int) (contract.Run, error) {
	fresh, err := s.store(order)
	if err != nil {
		return contract.Run{}, err
	}
	if err := primeExpectations(s.key.String(), s.Expectations); err != nil {
		return contract.Run{}, err
	}
	utils.DurationStore.Pop(s.key.String())
	if err := util.GlobalCache.Replace(nil, ""); err != nil {
		return contract.Run{}, err
	}
	rand.Seed(s.Seed)
	c.client.begin(fresh, s.faults)
	c.events.begin()
	c.client.turns = takeTurns()
	defer c.client.turns.stop()
	result, failure := c.reconcile(s.key)
	run := contract.Run{
		Writes:       c.client.writes,
		Status:       c.client.status,
		Events:       c.events.events,
		Expectations: readExpectations(s.key.String()),
		Error:        failure,
	}
	if result.RequeueAfter > 0 {
		run.RequeueAfter = result.RequeueAfter.String()
	}
	return run, nil
}
