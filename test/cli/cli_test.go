// Package cli runs whole command lines, as scripts in testdata.
//
// Each script is a story about one thing that users do; see the commands that
// scripts have besides testscript's own in scripts. After a wanted change of
// output, go test ./test/cli -update rewrites what they compare with.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/go-logr/logr"
	"github.com/rogpeppe/go-internal/testscript"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cli"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

var update = flag.Bool("update", false, "rewrite the outputs that scripts compare with")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"kubectl-ctrl": func() { runAs("kubectl ctrl") },
		"kc":           func() { runAs("kc") },
	})
}

// runAs is main, but that TERMINAL_WIDTH makes the output a terminal.
func runAs(name string) {
	klog.SetLogger(logr.Discard())
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	env := environment(name)
	documents := keepDocuments(&env)
	err := cli.New(env).ExecuteContext(ctx)
	documents(ctx, name)
	stop()
	status, text := cli.ExitStatus(err)
	if text != "" {
		fmt.Fprintln(os.Stderr, text)
	}
	os.Exit(status)
}

func environment(name string) cli.Env {
	return cli.Env{
		Controllers: plugins.All(),
		IOStreams:   genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr},
		Clock:       clock.RealClock{},
		Getenv:      os.Getenv,
		Width: func() int {
			width, _ := strconv.Atoi(os.Getenv("TERMINAL_WIDTH"))
			return width
		},
		Name:    name,
		Version: "v0.0.0-test",
	}
}

func TestScripts(t *testing.T) {
	fixtures, err := filepath.Glob("testdata/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	documents := t.TempDir()
	t.Cleanup(func() { checkDocuments(t, documents) }) // after all scripts, which run in parallel
	testscript.Run(t, testscript.Params{
		Dir:           "testdata",
		UpdateScripts: *update,
		Setup: func(e *testscript.Env) error {
			e.Setenv(documentsDir, documents)
			return setup(e, fixtures)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":     exits,
			"advised":   advised,
			"apiserver": apiserver,
		},
	})
}

// setup gives each script the fixtures, and a home of its own in which nobody
// has a cluster.
func setup(e *testscript.Env, fixtures []string) error {
	e.Setenv("HOME", e.WorkDir)
	e.Setenv("KUBECONFIG", filepath.Join(e.WorkDir, "kubeconfig"))
	examples, err := filepath.Abs("../../docs/examples")
	if err != nil {
		return err
	}
	e.Setenv("EXAMPLES", examples)
	e.Setenv("KUBECACHEDIR", filepath.Join(e.WorkDir, "cache"))
	for _, path := range fixtures {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(e.WorkDir, filepath.Base(path)), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// exits runs a command and compares its exit status: exits 2 kubectl-ctrl …
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND [ARGUMENT...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if status := (*exec.ExitError)(nil); errors.As(err, &status) {
		got = status.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}
