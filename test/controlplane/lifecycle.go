package controlplane

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
)

// launch starts a component and waits until it is ready.
func (c *Cluster) launch(ctx context.Context, component Component, extra ...string) error {
	if err := c.run(component, extra...); err != nil {
		return err
	}
	return c.waitReady(ctx, component)
}

func (c *Cluster) run(component Component, extra ...string) error {
	if component == APIServer {
		if err := c.cutTornAuditLine(); err != nil {
			return fmt.Errorf("start %s: %w", component, err)
		}
	}
	path := filepath.Join(c.binDir, string(component))
	p, err := startProcess(path, withExtra(c.args(component), extra), c.env(component), c.Logs(component))
	if err != nil {
		return fmt.Errorf("start %s: %w", component, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.processes[component] = p
	return nil
}

func (c *Cluster) process(component Component) (*process, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, ok := c.processes[component]
	if !ok {
		return nil, fmt.Errorf("%s was never started", component)
	}
	return p, nil
}

// Logs is the path of a component's log. It holds all runs of the component,
// and is gone after Stop.
func (c *Cluster) Logs(component Component) string { return c.path(string(component) + ".log") }

// Kill ends a component as a crash would, also a paused one. The others keep
// running.
func (c *Cluster) Kill(ctx context.Context, component Component) error {
	p, err := c.process(component)
	if err != nil {
		return nil // Start failed before it came to this one.
	}
	if err := p.kill(ctx); err != nil {
		return fmt.Errorf("kill %s: %w", component, err)
	}
	return nil
}

// Restart kills a component if it runs and starts it with the same data,
// address and flags. It returns when the component is ready.
func (c *Cluster) Restart(ctx context.Context, component Component) error {
	return c.RestartWith(ctx, component)
}

// RestartWith is Restart with flags for this run only. As in Options.ExtraArgs,
// they replace flags of the same name.
func (c *Cluster) RestartWith(ctx context.Context, component Component, extra ...string) error {
	if err := c.Kill(ctx, component); err != nil {
		return err
	}
	if err := c.dropLease(ctx, component); err != nil {
		return fmt.Errorf("restart %s: %w", component, err)
	}
	return c.launch(ctx, component, extra...)
}

// exits says which components ended by themselves, for error messages.
func (c *Cluster) exits() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var message string
	for _, component := range slices.Sorted(maps.Keys(c.processes)) {
		if !c.processes[component].running() {
			message += fmt.Sprintf("\n%s is not running", component)
		}
	}
	return message
}
