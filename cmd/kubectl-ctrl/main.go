// Command kubectl-ctrl is the kubectl plugin `kubectl ctrl`.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/go-logr/logr"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	_ "k8s.io/client-go/plugin/pkg/client/auth"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cli"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

func main() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softLimit)
	}
	klog.SetLogger(logr.Discard())     // what matters is said by the commands
	log.SetOutput(io.Discard)          // net/http's, of connections with illegal answers
	signals := make(chan os.Signal, 2) // a second signal must not be lost
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	interrupted, err := interruptible(signals, clock.RealClock{}, cli.New(environment()).ExecuteContext)
	status, text := cli.ExitStatus(err)
	if text != "" {
		fmt.Fprintln(cli.ForLocale(os.Stderr, os.Getenv), text)
	}
	os.Exit(max(status, interrupted))
}

// softLimit is the memory near which garbage is collected more often. Without it, the
// heap grows to twice what is in use; what stays far below is as fast as ever.
const softLimit = 1200 << 20

func environment() cli.Env {
	info, _ := debug.ReadBuildInfo() // nil without one
	return cli.Env{
		Controllers: plugins.All(),
		IOStreams:   genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr},
		Clock:       clock.RealClock{},
		Getenv:      os.Getenv,
		Width:       func() int { return cli.TerminalWidth(os.Stdout, os.Getenv) },
		Height:      func() int { return cli.TerminalHeight(os.Stdout) },
		ErrWidth:    func() int { return cli.TerminalWidth(os.Stderr, os.Getenv) },
		Resized:     resized(),
		Name:        called(filepath.Base(os.Args[0])),
		Version:     toolVersion(version, info),
	}
}

// called is the name to use in help: kubectl runs plugins as kubectl-NAME.
func called(base string) string {
	name := strings.TrimSuffix(base, ".exe")
	if plugin, ok := strings.CutPrefix(name, "kubectl-"); ok {
		return "kubectl " + strings.ReplaceAll(plugin, "_", "-") // kubectl's form of a dash
	}
	return name
}
