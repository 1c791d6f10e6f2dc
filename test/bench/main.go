// Command bench times whole commands of kubectl ctrl on a real control plane
// with 20,000 pods, each in turn with what it is to be compared with, and
// prints a Markdown table:
//
//	go run ./test/bench -ctrl bin/kubectl-ctrl
//
// What stands in the table are medians, and medians of the ratios pair by
// pair: the speed of a machine drifts, and a ratio of neighbours does not.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// options are the flags.
type options struct {
	// ctrl and lineage are binaries.
	ctrl, lineage string
	// pairs is how often a comparison with an aim is made, after one that is not
	// counted.
	pairs int
	// benchmarks is a file with the output of go test -bench, or empty.
	benchmarks string
	// scale divides the number of pods, for a look at the program itself.
	scale int
	// wait keeps the cluster for a profiler or a person, and measures nothing.
	wait bool
	// growth measures clusters of growing size instead.
	growth bool
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == listArgument {
		exit(listMetadata(os.Args[2:]))
	}
	var o options
	flag.StringVar(&o.ctrl, "ctrl", "bin/kubectl-ctrl", "the binary to time")
	flag.StringVar(&o.lineage, "lineage", ".cache/bench/bin/kube-lineage", "kube-lineage, as test/bench/build.sh makes it")
	flag.IntVar(&o.pairs, "pairs", 9, "how often a comparison with an aim is made")
	flag.StringVar(&o.benchmarks, "benchmarks", "", "a file with what go test -bench printed, to add to the page")
	flag.IntVar(&o.scale, "scale", 1, "divide the number of pods by this")
	flag.BoolVar(&o.wait, "wait", false, "populate, print the kubeconfig, and wait for an interrupt instead of measuring")
	flag.BoolVar(&o.growth, "growth", false, "measure clusters of 20,000 to 150,000 pods, written without controllers, instead")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	exit(run(ctx, o))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

func run(ctx context.Context, o options) (err error) {
	if o.ctrl, err = filepath.Abs(o.ctrl); err != nil {
		return err
	}
	if o.lineage, err = filepath.Abs(o.lineage); err != nil {
		return err
	}
	if o.growth {
		return measureGrowth(ctx, o)
	}
	cluster, err := controlplane.Start(ctx, controlplane.Options{Nodes: nodes})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cluster.Stop()) }()
	w := workloads(o.scale)
	filled := func() error { return populate(ctx, cluster, w) }
	if o.wait {
		return waitFor(ctx, cluster, filled)
	}
	if err := filled(); err != nil {
		return err
	}
	t, err := targetsOf(ctx, cluster)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "bench-manifests-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	t.many, t.one = filepath.Join(folder, "many.yaml"), filepath.Join(folder, "one.yaml")
	if err := errors.Join(grow(t.many, w[inCrowded:inCrowded+100]), grow(t.one, w[inCrowded:inCrowded+1])); err != nil {
		return err
	}
	rows, err := measure(ctx, o, cluster, comparisons(o, cluster, t))
	if err != nil {
		return err
	}
	return report(os.Stdout, w, o, rows)
}

// waitFor keeps a cluster once it is filled, for a profiler or a person.
func waitFor(ctx context.Context, cluster *controlplane.Cluster, filled func() error) error {
	if err := filled(); err != nil {
		return err
	}
	fmt.Println("KUBECONFIG=" + cluster.Kubeconfig())
	<-ctx.Done()
	return nil
}
