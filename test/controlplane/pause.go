package controlplane

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Pause stops a component in the midst of whatever it does, without its
// knowing. Requests that it has already sent are still carried out.
func (c *Cluster) Pause(component Component) error {
	return c.signal(component, "pause", suspendGroup)
}

// Resume lets a paused component go on and returns when it does. Under leader
// election, a component that lost its Lease meanwhile exits; it is started
// again.
//
// What changed meanwhile reaches a controller change by change, and it may act
// in between. A test that changes several objects uses Kill and Restart in the
// place of Pause and Resume: a new process lists everything before it acts.
func (c *Cluster) Resume(ctx context.Context, component Component) error {
	before, err := c.leaseRenewal(ctx, component)
	if err != nil {
		return fmt.Errorf("resume %s: %w", component, err)
	}
	if err := c.signal(component, "resume", wakeGroup); err != nil {
		return err
	}
	if !c.elects(component) {
		return nil
	}
	exited, err := c.exitsInsteadOfRenewing(ctx, component, before)
	if err != nil || !exited {
		return err
	}
	return c.Restart(ctx, component)
}

func (c *Cluster) signal(component Component, verb string, send func(pid int) error) error {
	p, err := c.process(component)
	if err != nil {
		return fmt.Errorf("%s %s: %w", verb, component, err)
	}
	if !p.running() {
		return fmt.Errorf("%s %s: it is not running", verb, component)
	}
	if err := send(p.cmd.Process.Pid); err != nil {
		return fmt.Errorf("%s %s: %w", verb, component, err)
	}
	return nil
}

// exitsInsteadOfRenewing waits for one or the other: which of them comes first
// depends on how far the component was with its renewal when it was paused.
func (c *Cluster) exitsInsteadOfRenewing(ctx context.Context, component Component, before time.Time) (bool, error) {
	p, err := c.process(component)
	if err != nil {
		return false, err
	}
	err = c.WaitFor(ctx, string(component)+" to renew its Lease or to exit", func(ctx context.Context) (bool, error) {
		if !p.running() {
			return true, nil
		}
		now, err := c.leaseRenewal(ctx, component)
		return now.After(before), err
	})
	return !p.running(), err
}

func (c *Cluster) elects(component Component) bool {
	return !c.opts.NoLeaderElection && (component == ControllerManager || component == Scheduler)
}

// leaseRenewal is the zero time where there is no Lease.
func (c *Cluster) leaseRenewal(ctx context.Context, component Component) (time.Time, error) {
	if !c.elects(component) {
		return time.Time{}, nil
	}
	client, err := c.Client()
	if err != nil {
		return time.Time{}, err
	}
	lease, err := client.CoordinationV1().Leases(metav1.NamespaceSystem).Get(ctx, string(component), metav1.GetOptions{})
	if apierrors.IsNotFound(err) || err == nil && lease.Spec.RenewTime == nil {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, err
	}
	return lease.Spec.RenewTime.Time, nil
}

// dropLease spares a new process the wait for the Lease of the dead one, which
// would take 15 seconds.
func (c *Cluster) dropLease(ctx context.Context, component Component) error {
	if !c.elects(component) {
		return nil
	}
	client, err := c.Client()
	if err != nil {
		return err
	}
	err = client.CoordinationV1().Leases(metav1.NamespaceSystem).Delete(ctx, string(component), metav1.DeleteOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}
