package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// takeCommands returns when the context ends. The end of the input ends only
// the commands, for a playground in the background.
func takeCommands(ctx context.Context, in io.Reader, out io.Writer, cluster *controlplane.Cluster) {
	lines := make(chan string)
	go scan(ctx, in, lines)
	for {
		select {
		case <-ctx.Done():
			fmt.Fprintln(out, "\nStopping.")
			return
		case line := <-lines:
			if err := obey(ctx, out, cluster, strings.TrimSpace(line)); err != nil {
				fmt.Fprintln(out, err)
			}
		}
	}
}

func scan(ctx context.Context, in io.Reader, lines chan<- string) {
	scanner := bufio.NewScanner(in)
	for scanner.Scan() {
		select {
		case lines <- scanner.Text():
		case <-ctx.Done():
			return
		}
	}
}

func obey(ctx context.Context, out io.Writer, cluster *controlplane.Cluster, line string) error {
	switch line {
	case "":
		return nil
	case "p", "pause":
		return pause(ctx, out, cluster)
	case "r", "resume":
		return resume(ctx, out, cluster)
	default:
		return fmt.Errorf("unknown command %q: p pauses, r resumes, Ctrl-C ends", line)
	}
}

func pause(ctx context.Context, out io.Writer, cluster *controlplane.Cluster) error {
	if err := cluster.Pause(controlplane.ControllerManager); err != nil {
		return err
	}
	if err := apply(ctx, cluster, fleeting); err != nil {
		return err
	}
	fmt.Fprintln(out, "Paused: no controller acts, and there are changes to answer. Try:")
	fmt.Fprintln(out)
	printStops(out, whilePaused, "")
	return nil
}

func resume(ctx context.Context, out io.Writer, cluster *controlplane.Cluster) error {
	if err := cluster.Resume(ctx, controlplane.ControllerManager); err != nil {
		return err
	}
	fmt.Fprintln(out, "Resumed: compare what happened with what was predicted.")
	return nil
}
