package e2e

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// env is what all tests of the package share; they run one after another.
var env struct {
	*controlplane.Cluster
	client kubernetes.Interface
	tool   tool
	kcm    controllerManager
	report report
}

// setupTimeout leaves room for a cold build of the control plane.
const setupTimeout = 8 * time.Minute

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

// runAll runs the tests, and then those checks that are about all of them.
func runAll(m *testing.M) (code int, err error) {
	dir, err := os.MkdirTemp("", "kubectl-ctrl-e2e-")
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := start(dir); err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, env.Stop()) }()
	code = m.Run()
	return code, errors.Join(checkToolOnlyRead(), env.report.write(os.Getenv("E2E_REPORT")))
}

func start(dir string) error {
	ctx, cancel := context.WithTimeout(context.Background(), setupTimeout)
	defer cancel()
	cluster, err := controlplane.Start(ctx, clusterOptions())
	if err != nil {
		return err
	}
	env.Cluster = cluster
	if err := prepare(ctx, dir); err != nil {
		return errors.Join(err, cluster.Stop())
	}
	return nil
}

func prepare(ctx context.Context, dir string) (err error) {
	config := env.RESTConfig()
	config.WarningHandler = rest.NoWarnings{}
	if env.client, err = kubernetes.NewForConfig(config); err != nil {
		return err
	}
	kubeconfig, err := env.KubeconfigFor(toolUser)
	if err != nil {
		return err
	}
	if env.tool, err = installTool(ctx, filepath.Join(dir, "bin"), env.BinDir(), kubeconfig); err != nil {
		return err
	}
	return errors.Join(createBareNodes(ctx, env.client), createCanaries(ctx, env.client))
}
