package driver

import (
	"encoding/json"
	"errors"
	"sort"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/contract"
)

// answerSync runs one fresh sync per order.
func (o *oracle) answerSync(req *contract.Request, resp *contract.Response) error {
	c, err := o.controllerFor(req.Kind)
	if err != nil {
		return err
	}
	s, err := prepare(c, req)
	if err != nil {
		return err
	}
	for _, order := range ordersOf(req) {
		run, err := c.run(s, order)
		if err != nil {
			return err
		}
		resp.Runs = append(resp.Runs, run)
	}
	return nil
}

// run resets what a sync leaves behind and does one sync.
func (c *controller) run(s *state, order []int) (contract.Run, error) {
	place, err := positions(s.Pods, order)
	if err != nil {
		return contract.Run{}, err
	}
	c.pods.position = place
	c.setWrites(s)
	c.cluster.begin(s.live, s.Faults)
	if err := c.expectations.reset(s.Key, s.Expectations, s.age); err != nil {
		return contract.Run{}, err
	}
	syncError := c.syncs.Once(s.Key)
	return c.observed(s.Key, syncError, s.Bodies)
}

// observed collects what the sync did at each edge.
func (c *controller) observed(key, syncError string, bodies bool) (contract.Run, error) {
	seen, requeues := c.cluster.seen, c.queue.Recorded()
	run := contract.Run{
		Creates:       seen.creates,
		CreatesFailed: seen.createsFailed,
		CreateBatches: c.cluster.barrier.take(),
		Deletes:       append([]string{}, seen.deletes...),
		Patches:       append([]contract.Patch{}, seen.patches...),
		StatusWrites:  seen.statusWrites,
		RequeueAfter:  requeues.AfterText(),
		RateLimited:   requeues.RateLimited,
		Forgotten:     requeues.Forgotten,
		Expectations:  c.expectations.read(key),
		SyncError:     syncError,
	}
	sort.Strings(run.Deletes)
	var bodyErr, err error
	if bodies {
		run.Created, bodyErr = seen.created.body()
		run.CreatedUnlike = seen.created.unlike
	}
	if seen.status != nil {
		run.Status, err = json.Marshal(seen.status)
	}
	return run, errors.Join(bodyErr, err)
}
