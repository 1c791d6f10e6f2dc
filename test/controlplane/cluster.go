package controlplane

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Each step has a limit of its own, for callers whose context has none.
const (
	startTimeout = 2 * time.Minute
	stopTimeout  = 10 * time.Second
)

// Cluster is a control plane that runs. Its methods may be called from several
// goroutines.
type Cluster struct {
	opts   Options
	binDir string
	dir    string
	ports  ports
	tokens map[string]string

	mu        sync.Mutex
	processes map[Component]*process
}

// Start builds what is missing, starts all components, and returns when the API
// server answers and all nodes are ready. The context bounds the start only;
// Stop ends the cluster. An error holds the end of the log of the component
// that it is about.
func Start(ctx context.Context, opts Options) (*Cluster, error) {
	if opts.BinDir == "" {
		dir, err := Build(ctx, opts)
		if err != nil {
			return nil, err
		}
		opts.BinDir = dir
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	c, err := prepare(opts)
	if err != nil {
		return nil, fmt.Errorf("prepare the control plane: %w", err)
	}
	if err := c.start(ctx); err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	return c, nil
}

// prepare writes everything that the components read.
func prepare(opts Options) (*Cluster, error) {
	binDir, err := filepath.Abs(opts.BinDir)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "kubectl-ctrl-")
	if err != nil {
		return nil, err
	}
	c := &Cluster{opts: opts, binDir: binDir, dir: dir, processes: map[Component]*process{}}
	if err := c.writeFiles(); err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	return c, nil
}

func (c *Cluster) writeFiles() (err error) {
	if c.ports, err = freePorts(); err != nil {
		return err
	}
	if err := writeCerts(c.dir, time.Now()); err != nil {
		return err
	}
	if err := os.WriteFile(c.path(auditPolicyFile), auditPolicy, 0o600); err != nil {
		return err
	}
	if err := os.WriteFile(c.path(kruiseStagesFile), kruiseStages, 0o600); err != nil {
		return err
	}
	return c.writeIdentities()
}

func (c *Cluster) start(ctx context.Context) error {
	for _, component := range []Component{Etcd, APIServer} {
		if err := c.launch(ctx, component); err != nil {
			return err
		}
	}
	// The nodes are there when the others look for them first.
	if err := c.createNodes(ctx); err != nil {
		return err
	}
	for _, component := range []Component{ControllerManager, Scheduler, Kwok} {
		if err := c.run(component); err != nil {
			return err
		}
	}
	for _, component := range []Component{ControllerManager, Scheduler, Kwok} {
		if err := c.waitReady(ctx, component); err != nil {
			return err
		}
	}
	if err := c.waitForNodes(ctx); err != nil {
		return err
	}
	return c.startKruise(ctx)
}

// Stop kills all components and removes the cluster's folder. It may be called
// again.
func (c *Cluster) Stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	var errs []error
	for _, component := range []Component{Kruise, Kwok, Scheduler, ControllerManager, APIServer, Etcd} {
		errs = append(errs, c.Kill(ctx, component))
	}
	errs = append(errs, os.RemoveAll(c.dir))
	return errors.Join(errs...)
}

func (c *Cluster) path(name string) string { return filepath.Join(c.dir, name) }
