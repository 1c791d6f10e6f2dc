//go:build linux

package cli

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cli"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	kubeapi "github.com/kubectl-ctrl/kubectl-ctrl/test/apiserver"
)

// TestSlowReadsAreReported: after a second a terminal's standard error says
// what is read, and the line is gone before the answer comes.
func TestSlowReadsAreReported(t *testing.T) {
	term, answered := openTerminal(t, 60, 24), make(chan struct{})
	config := slowServer(t, answered)
	clock := clocktesting.NewFakeClock(time.Now())
	out := &output{}
	root := cli.New(cli.Env{
		Controllers: plugins.All(),
		IOStreams:   genericiooptions.IOStreams{In: strings.NewReader(""), Out: out, ErrOut: term.tty},
		Clock:       clock, Getenv: none, Width: func() int { return 0 },
		ErrWidth: func() int { return cli.TerminalWidth(term.tty, none) },
		Name:     "kubectl ctrl", Version: "v0.0.0-test",
	})
	root.SetArgs([]string{"explain", "rs/web-7b46c4b544", "-n", "blog", "--kubeconfig", config})
	done := make(chan error, 1)
	go func() { done <- root.ExecuteContext(t.Context()) }()
	for deadline := time.Now().Add(patience); !strings.Contains(term.screen.String(), "reading pods") && time.Now().Before(deadline); {
		clock.Step(50 * time.Millisecond)
		time.Sleep(10 * time.Millisecond)
	}
	term.screen.await(t, "\r\x1b[K1s: reading pods in namespace blog")
	if out.String() != "" {
		t.Errorf("an answer before it was read: %s", out)
	}
	close(answered)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(patience); !strings.HasSuffix(term.screen.String(), "…\r\x1b[K"); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the line is not wiped: %q", term.screen)
		}
	}
	if !strings.HasPrefix(out.String(), "replicaset/web-7b46c4b544 ") {
		t.Errorf("no answer: %s", out)
	}
}

// slowServer has the pods of a namespace only after a channel is closed.
func slowServer(t *testing.T, answered <-chan struct{}) string {
	t.Helper()
	objs, err := bundle.ReadObjects([]string{"testdata/cluster.yaml"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := kubeapi.New(objs)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/namespaces/blog/pods") {
			<-answered
		}
		s.ServeHTTP(w, r)
	}))
	t.Cleanup(web.Close)
	t.Cleanup(web.CloseClientConnections)
	config := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(config, []byte(kubeapi.Kubeconfig(web.URL)), 0o600); err != nil {
		t.Fatal(err)
	}
	return config
}

// TestWatchRedraws: on a terminal answers take each other's place, with what
// changed marked; another size is drawn anew, and the end leaves a clean
// terminal with the last answer.
func TestWatchRedraws(t *testing.T) {
	term := openTerminal(t, 100, 30)
	sizes := make(chan os.Signal, 1)
	s, end := watchOn(t, cli.Env{
		Controllers: plugins.All(),
		IOStreams:   genericiooptions.IOStreams{In: strings.NewReader(""), Out: term.tty, ErrOut: &output{}},
		Getenv:      vars{"NO_COLOR": "1"}.get,
		Width:       func() int { return cli.TerminalWidth(term.tty, none) },
		Height:      func() int { return cli.TerminalHeight(term.tty) },
		Resized:     sizes,
	}, "explain", "rs/web-7b46c4b544", "-n", "blog", "-w")
	term.screen.await(t, "  replicaset/web-7b46c4b544 in blog: ")
	term.screen.await(t, "\x1b[?1049h\x1b[?25l\x1b[Hkubectl ctrl: watching, 0 changed answers so far; Ctrl-C ends")
	s.Remove("pod/blog/web-7b46c4b544-k2m4d")
	term.screen.await(t, "- replicaset/web-7b46c4b544 in blog: ")
	term.screen.await(t, "+ replicaset/web-7b46c4b544 will create 1 Pod: 0 active, 1 desired")
	term.screen.await(t, "1 changed answers so far")
	term.resize(t, 44, 6)
	sizes <- syscall.SIGWINCH
	term.screen.await(t, "more lines than the window")
	s.Remove("replicaset/blog/web-7b46c4b544")
	term.screen.await(t, "error: replicasets.apps")
	if err := end(); err != nil {
		t.Errorf("an interrupted watch is no error, got %v", err)
	}
	term.screen.await(t, "\x1b[?25h\x1b[?1049lreplicaset/web-7b46c4b544 in blog: blocked,")
}

type vars map[string]string

func (v vars) get(name string) string { return v[name] }
