package faults

import (
	"bytes"
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cli"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	kubeapi "github.com/kubectl-ctrl/kubectl-ctrl/test/apiserver"
)

// now is the time of the cluster, and of the command.
var now = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// stopped is a clock that shows now always. Its timers run.
type stopped struct{ clock.RealClock }

func (stopped) Now() time.Time                  { return now }
func (stopped) Since(t time.Time) time.Duration { return now.Sub(t) }

func TestMain(m *testing.M) {
	klog.SetLogger(logr.Discard())
	os.Exit(m.Run())
}

// clusters are those that a command may ask, each with the files of its objects.
var clusters = map[string][]string{
	"a": {"../cli/testdata/cluster.yaml", "../cli/testdata/sample.yaml", "testdata/around.yaml"},
	"b": {"testdata/calm.yaml"},
}

func objects(t *testing.T, files []string) []bundle.Object {
	t.Helper()
	objs, err := bundle.ReadObjects(files, nil)
	if err != nil {
		t.Fatal(err)
	}
	return objs
}

// said is what a command printed and how it ended.
type said struct {
	out, err string
	status   int
}

func (s said) String() string {
	return fmt.Sprintf("exit status %d\n--- standard output\n%s--- standard error\n%s", s.status, s.out, s.err)
}

// difference is what one lacks of the other.
func difference(want, got said) string {
	return cmp.Diff(strings.Split(want.String(), "\n"), strings.Split(got.String(), "\n"))
}

const (
	// patient is time enough for the whole answer; impatient for one that does
	// not wait for what fails.
	patient   = 20 * time.Second
	impatient = 4 * time.Second
)

// run runs a command line against clusters behind the injector.
func run(t *testing.T, objs map[string][]bundle.Object, i *injector, timeout time.Duration, args []string) (got said) {
	dir := t.TempDir()
	config := filepath.Join(dir, "kubeconfig")
	for name := range clusters {
		s := kubeapi.New(objs[name])
		s.DryRuns = true
		web := httptest.NewServer(i.around(name, s))
		defer web.Close()
		defer web.CloseClientConnections()
		if err := kubeapi.AddContext(config, name, web.URL); err != nil {
			t.Error(err)
			return got
		}
	}
	if !slices.Contains(args, "--contexts") && !slices.Contains(args, "--context") {
		args = append(slices.Clone(args), "--context", "a")
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	defer cancel()
	i.cancel = cancel
	return execute(ctx, t, append(slices.Clone(args), "--kubeconfig", config, "--cache-dir", dir, "--request-timeout", timeout.String()))
}

func execute(ctx context.Context, t *testing.T, args []string) (got said) {
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%s: panic: %v", strings.Join(args, " "), p)
		}
	}()
	var out, errs bytes.Buffer
	root := cli.New(cli.Env{
		Controllers: plugins.All(),
		IOStreams:   genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &errs},
		Clock:       stopped{}, Getenv: func(string) string { return "" }, Width: func() int { return 0 },
		Name: "kubectl ctrl", Version: "v0.0.0-test",
	})
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	status, text := cli.ExitStatus(err)
	if text != "" {
		fmt.Fprintln(&errs, text)
	}
	return said{out.String(), errs.String(), status}
}
