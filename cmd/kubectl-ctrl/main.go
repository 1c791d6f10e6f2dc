// Command kubectl-ctrl is the kubectl plugin `kubectl ctrl`.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
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
		if os.Getenv("GOGC") == "" {
			collectLate()
		}
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

// How much memory the program may take before garbage is collected at all, and near
// which it is collected more often. Most commands stay below the first: they never
// collect. Without the second, the heap grows to twice what is in use.
const (
	small     = 96 << 20
	softLimit = 1200 << 20
)

// collectLate has garbage collected as usual once the program has become large. The first
// collection finds that nothing refers to the marker.
func collectLate() {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(small)
	runtime.AddCleanup(new([64]byte), func(usual int) {
		debug.SetMemoryLimit(softLimit)
		debug.SetGCPercent(usual)
	}, 100)
}

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
