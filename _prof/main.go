package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"

	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cli"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

func main() {
	if p := os.Getenv("MEMPROF"); p != "" {
		runtime.MemProfileRate = 64 << 10
	}
	if p := os.Getenv("CPUPROF"); p != "" {
		f, _ := os.Create(p)
		_ = pprof.StartCPUProfile(f)
	}
	root := cli.New(cli.Env{
		Controllers: plugins.All(),
		IOStreams:   genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr},
		Clock:       clock.RealClock{}, Getenv: os.Getenv,
		Width: func() int { return 0 }, Name: "kubectl ctrl", Version: "v0.0.0-test",
	})
	root.SetArgs(os.Args[1:])
	_, text := cli.ExitStatus(root.ExecuteContext(context.Background()))
	if text != "" {
		fmt.Fprintln(os.Stderr, text)
	}
	pprof.StopCPUProfile()
	if p := os.Getenv("MEMPROF"); p != "" {
		f, _ := os.Create(p)
		runtime.GC(); _ = pprof.Lookup("allocs").WriteTo(f, 0)
	}
	if p := os.Getenv("INUSE"); p != "" {
		f, _ := os.Create(p)
		_ = pprof.Lookup("heap").WriteTo(f, 0)
	}
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	fmt.Fprintf(os.Stderr, "alloc %d MB\n", s.TotalAlloc/1e6)
}
