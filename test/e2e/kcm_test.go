package e2e

import (
	"context"
	"fmt"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// hold is how the controller manager is kept from acting while a plan is made.
type hold int

const (
	// killed is the choice for changes of several objects: the next process
	// lists all of them before it acts.
	killed hold = iota
	// stopped sends SIGSTOP and SIGCONT: the very same process goes on, with
	// what it remembers.
	stopped
	// uncollected is killed, and starts again without the garbage collector,
	// which would work on the same objects at the same time.
	uncollected
	// alone is killed, and starts again with the Deployment controller only:
	// nothing else changes what its syncs see.
	alone
	// undeployed is killed, and starts again without that.
	undeployed
	// stateful is killed, and starts again with the StatefulSet controller only.
	stateful
)

// partial are the flags of a process that does not run all controllers.
var partial = map[hold]string{
	uncollected: "--controllers=*,-node-ipam-controller,-garbage-collector-controller",
	alone:       "--controllers=deployment-controller --concurrent-deployment-syncs=1",
	undeployed:  "--controllers=*,-node-ipam-controller,-deployment-controller",
	stateful:    "--controllers=statefulset-controller",
}

// controllerManager knows what state the last test left the process in.
type controllerManager struct {
	held *hold
	// partial is a process without all controllers.
	partial bool
}

func (k *controllerManager) hold(ctx context.Context, how hold) error {
	if how == stopped {
		if err := k.release(ctx); err != nil {
			return err
		}
	}
	k.held = &how
	if how == stopped {
		return env.Pause(controlplane.ControllerManager)
	}
	return env.Kill(ctx, controlplane.ControllerManager)
}

// release lets the controller manager act, if it is held.
func (k *controllerManager) release(ctx context.Context) (err error) {
	held := k.held
	k.held = nil
	switch {
	case held == nil && !k.partial:
		return nil
	case held != nil && *held == stopped:
		return env.Resume(ctx, controlplane.ControllerManager)
	case held != nil && partial[*held] != "":
		k.partial = true
		err = env.RestartWith(ctx, controlplane.ControllerManager, strings.Fields(partial[*held])...)
	default:
		k.partial = false
		err = env.Restart(ctx, controlplane.ControllerManager)
	}
	if err != nil {
		return fmt.Errorf("start the controller manager again: %w", err)
	}
	return nil
}
