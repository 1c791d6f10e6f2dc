package cli

import (
	"context"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cli"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	kubeapi "github.com/kubectl-ctrl/kubectl-ctrl/test/apiserver"
)

// patience is how long to wait for output that must come.
const patience = 30 * time.Second

// TestWatchAnswersAgain watches a set while a pod goes, and then the set.
func TestWatchAnswersAgain(t *testing.T) {
	s, out, errs, end := watch(t, "explain", "rs/web-7b46c4b544", "-n", "blog", "-w")
	out.await(t, "replicaset/web-7b46c4b544 in blog: ")
	s.Remove("pod/blog/web-7b46c4b544-k2m4d")
	out.await(t, "will create 1 Pod: 0 active, 1 desired")
	s.Remove("replicaset/blog/web-7b46c4b544")
	errs.await(t, `error: replicasets.apps "web-7b46c4b544" not found in namespace "blog"`)
	if err := end(); err != nil {
		t.Errorf("an interrupted watch is no error, got %v", err)
	}
	if n := strings.Count(errs.String(), "\n"); n != 1 {
		t.Errorf("%d lines of errors, want 1:\n%s", n, errs.String())
	}
}

// TestWatchPlans keeps a what-if on top of what changes.
func TestWatchPlans(t *testing.T) {
	s, out, _, end := watch(t, "plan", "rs/web-7b46c4b544", "-n", "blog", "--replicas", "3", "-w", "-o", "jsonpath={.summary.create} ")
	out.await(t, "2 ")
	s.Remove("pod/blog/web-7b46c4b544-k2m4d")
	out.await(t, "2 3 ")
	if err := end(); err != nil {
		t.Error(err)
	}
}

// none is an empty environment.
func none(string) string { return "" }

// watch runs a command line until end is called.
func watch(t *testing.T, args ...string) (s *kubeapi.Server, out, errs *output, end func() error) {
	t.Helper()
	out, errs = &output{}, &output{}
	s, end = watchOn(t, cli.Env{
		Controllers: plugins.All(),
		IOStreams:   genericiooptions.IOStreams{In: strings.NewReader(""), Out: out, ErrOut: errs},
		Getenv:      none, Width: func() int { return 0 },
	}, args...)
	return s, out, errs, end
}

// watchOn runs a command line on the streams of env until end is called.
func watchOn(t *testing.T, env cli.Env, args ...string) (s *kubeapi.Server, end func() error) {
	t.Helper()
	objs, err := bundle.ReadObjects([]string{"testdata/cluster.yaml"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s = kubeapi.New(objs)
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	t.Cleanup(web.CloseClientConnections)
	config := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(config, []byte(kubeapi.Kubeconfig(web.URL)), 0o600); err != nil {
		t.Fatal(err)
	}
	env.Clock, env.Name, env.Version = clock.RealClock{}, "kubectl ctrl", "v0.0.0-test"
	root := cli.New(env)
	root.SetArgs(append(args, "--kubeconfig", config))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- root.ExecuteContext(ctx) }()
	return s, func() error { cancel(); return <-done }
}

// output collects what a running command writes.
type output struct {
	mu   sync.Mutex
	text strings.Builder
}

var _ io.Writer = (*output)(nil)

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

func (o *output) await(t *testing.T, want string) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if strings.Contains(o.String(), want) {
			return
		}
	}
	t.Fatalf("%q did not come:\n%s", want, o.String())
}
