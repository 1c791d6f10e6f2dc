// Command playground starts a real control plane with sample workloads on this
// machine, for trying kubectl ctrl:
//
//	go run ./test/playground
//	go run ./test/playground -kruise   # with OpenKruise and CloneSets
//
// It says what to type in another terminal and runs until Ctrl-C. The first
// start compiles Kubernetes, which takes some minutes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

func main() {
	kruise := flag.Bool("kruise", false, "run OpenKruise too, with CloneSets to look at")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Stdin, os.Stdout, *kruise)
	cancel()
	if err != nil {
		fmt.Fprintln(os.Stderr, "playground:", err)
		os.Exit(1)
	}
}

// nodes are as many as the manifests name, and one that they do not.
const nodes = 3

// run leaves leader election on: whether somebody acts at all is part of what
// there is to see.
func run(ctx context.Context, in io.Reader, out io.Writer, kruise bool) (err error) {
	fmt.Fprintln(out, "Starting a control plane …")
	cluster, err := controlplane.Start(ctx, controlplane.Options{Nodes: nodes, Kruise: kruise})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cluster.Stop()) }()
	if err := populate(ctx, cluster, kruise); err != nil {
		return err
	}
	if err := printTour(ctx, out, cluster, kruise); err != nil {
		return err
	}
	takeCommands(ctx, in, out, cluster)
	return nil
}
