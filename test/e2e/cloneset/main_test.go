package cloneset

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

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// env is what all tests of the package share; they run one after another.
var env struct {
	*controlplane.Cluster
	client  kubernetes.Interface
	dynamic dynamic.Interface
	tool    string
	report  report
	// gated: the manager runs with feature gates of the last scenario. held: it
	// does not run.
	gated, held bool
}

// setupTimeout leaves room for a cold build of the control plane and Kruise.
const setupTimeout = 15 * time.Minute

func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		fmt.Println("the end-to-end tests start a control plane: skipped with -short")
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
	dir, err := os.MkdirTemp("", "kubectl-ctrl-kruise-")
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := start(filepath.Join(dir, "kubectl-ctrl")); err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, env.Stop()) }()
	code = m.Run()
	return code, env.report.write(os.Getenv("E2E_REPORT"))
}

func start(tool string) error {
	ctx, cancel := context.WithTimeout(context.Background(), setupTimeout)
	defer cancel()
	cluster, err := controlplane.Start(ctx, controlplane.Options{Nodes: 3, NoLeaderElection: true, Kruise: true})
	if err != nil {
		return err
	}
	env.Cluster, env.tool = cluster, tool
	if err := prepare(ctx); err != nil {
		return errors.Join(err, cluster.Stop())
	}
	return nil
}

func prepare(ctx context.Context) (err error) {
	config := env.RESTConfig()
	config.WarningHandler = rest.NoWarnings{}
	var dynamicErr error
	env.client, err = kubernetes.NewForConfig(config)
	env.dynamic, dynamicErr = dynamic.NewForConfig(config)
	if err := errors.Join(err, dynamicErr); err != nil {
		return err
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", env.tool, "../../../cmd/kubectl-ctrl")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build kubectl-ctrl: %w: %s", err, out)
	}
	return nil
}
