// Package trace holds a trace against real controllers: it runs the tool as a
// user does beside a control plane that is frozen, refused, restarted and
// driven at random, and compares what it says with the API server's audit log.
package trace

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"k8s.io/client-go/kubernetes"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// plane is a control plane with a client for it.
type plane struct {
	*controlplane.Cluster
	client kubernetes.Interface
}

// env is what all tests share; they run one after another.
var env struct {
	plane
	tool string
}

// setupTimeout leaves room for a cold build of the control plane.
const setupTimeout = 8 * time.Minute

func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		fmt.Println("these tests start a control plane: skipped with -short")
		return
	}
	code, err := runAll(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func runAll(m *testing.M) (code int, err error) {
	dir, err := os.MkdirTemp("", "kubectl-ctrl-trace-")
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	ctx, cancel := context.WithTimeout(context.Background(), setupTimeout)
	defer cancel()
	env.tool = filepath.Join(dir, "kubectl-ctrl")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", env.tool, "../../../cmd/kubectl-ctrl").CombinedOutput(); err != nil {
		return 1, fmt.Errorf("build the tool: %w: %s", err, out)
	}
	cluster, err := controlplane.Start(ctx, controlplane.Options{Nodes: 3, ExtraArgs: map[controlplane.Component][]string{
		controlplane.ControllerManager: controlplane.ServedMetrics,
	}})
	if err != nil {
		return 1, err
	}
	env.Cluster = cluster
	defer func() { err = errors.Join(err, env.Stop()) }()
	if env.client, err = cluster.Client(); err != nil {
		return 1, err
	}
	return m.Run(), nil
}
