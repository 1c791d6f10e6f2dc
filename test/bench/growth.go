package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// sizes are the numbers of pods by which the growth is told.
var sizes = []int{20_000, 50_000, 150_000}

const (
	// settled is how long a trace is given to read what there is, and then the changes.
	settled = 45 * time.Second
	// changed is how many changes of pods a trace is sent.
	changed = 100_000
	// most is what the largest cluster may take, in bytes.
	mostTraced, mostOrphans = 1_500_000_000, 500_000_000
)

// grown is what a command costs in a cluster of some size.
type grown struct {
	command string
	pods    int
	wall    time.Duration
	cpu     time.Duration
	peak    int64
	// requests and bytes are what the API server answered.
	requests int
	bytes    int64
	// limit is the most memory it may take, 0 without one.
	limit int64
}

// measureGrowth writes clusters of growing size and runs commands in them. It ends with
// the events that a trace takes in a second of one processor.
func measureGrowth(ctx context.Context, o options) (err error) {
	cluster, err := controlplane.Start(ctx, controlplane.Options{Nodes: 1, ExtraArgs: map[controlplane.Component][]string{
		controlplane.Etcd: {"--quota-backend-bytes=8589934592"},
	}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cluster.Stop()) }()
	f, err := newFiller(ctx, cluster)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "bench-growth-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	m := &growth{o: o, cluster: cluster, filler: f}
	if m.wire, m.kubeconfig, err = newWire(cluster.Kubeconfig(), folder); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.wire.close()) }()
	if o.wait {
		return waitFor(ctx, cluster, func() error { return f.to(ctx, sizes[len(sizes)-1]/o.scale) })
	}
	for _, n := range sizes {
		n /= o.scale
		start := time.Now()
		if err := f.to(ctx, n); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%d pods written in %s\n", n, time.Since(start).Round(time.Second))
		if err := m.all(ctx, n); err != nil {
			return err
		}
	}
	rate, err := m.rate(ctx)
	if err != nil {
		return err
	}
	reportGrowth(os.Stdout, m.rows, rate, changed/o.scale)
	return nil
}

// growth measures commands in one cluster.
type growth struct {
	o          options
	cluster    *controlplane.Cluster
	filler     *filler
	wire       *wire
	kubeconfig string
	rows       []grown
}

// all runs each command in the cluster as it is.
func (m *growth) all(ctx context.Context, pods int) error {
	set := "rs/" + setName(0)
	for _, c := range []struct {
		args  []string
		limit int64
	}{
		{[]string{"explain", set, "-n", namespaceOf(0)}, 0},
		{[]string{"explain", "rs", "-A"}, 0},
		{[]string{"orphans", "-A"}, mostOrphans},
		{[]string{"trace", "-A", "--duration", settled.String()}, mostTraced},
	} {
		row, err := m.run(ctx, c.args, nil)
		if err != nil {
			return err
		}
		row.pods, row.limit = pods, c.limit
		m.rows = append(m.rows, row)
		fmt.Fprintf(os.Stderr, "%+v\n", row)
	}
	return nil
}

// run runs a command, and meanwhile something else.
func (m *growth) run(ctx context.Context, args []string, meanwhile func(context.Context) error) (grown, error) {
	mark, err := m.cluster.AuditMark()
	if err != nil {
		return grown{}, err
	}
	cmd := exec.CommandContext(ctx, m.o.ctrl, args...)
	var stderr strings.Builder
	cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), "KUBECONFIG="+m.kubeconfig, "HOME="+filepath.Dir(m.kubeconfig)), io.Discard, &stderr
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return grown{}, err
	}
	if meanwhile != nil {
		if err := meanwhile(ctx); err != nil {
			return grown{}, errors.Join(err, cmd.Process.Kill(), cmd.Wait())
		}
	}
	if err := cmd.Wait(); err != nil {
		return grown{}, fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(stderr.String()))
	}
	row := grown{command: strings.Join(args, " "), wall: time.Since(start), cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	row.peak = cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
	row.bytes = m.wire.take()
	events, _, err := m.cluster.AuditEvents(mark)
	for _, e := range events {
		if strings.HasPrefix(e.UserAgent, filepath.Base(m.o.ctrl)) && e.Stage == "ResponseComplete" {
			row.requests++
		}
	}
	return row, err
}

// rate is how many changes a trace of the largest cluster takes in a second of one
// processor: what it needs more when there are changes.
func (m *growth) rate(ctx context.Context) (float64, error) {
	i := slices.IndexFunc(m.rows, func(g grown) bool { return g.pods == m.filler.pods && strings.HasPrefix(g.command, "trace") })
	idle, n := m.rows[i], changed/m.o.scale
	busy, err := m.run(ctx, []string{"trace", "-A", "--duration", (2 * settled).String()}, func(ctx context.Context) error {
		if err := pause(ctx, settled); err != nil {
			return err
		}
		return m.filler.rewrite(ctx, n, false)
	})
	fmt.Fprintf(os.Stderr, "%+v\n", busy)
	return float64(n) / (busy.cpu - idle.cpu).Seconds(), err
}

func reportGrowth(w io.Writer, rows []grown, rate float64, n int) {
	fmt.Fprintf(w, "\n## Growth\n\nClusters of a growing number of Pods, %d to a ReplicaSet and %d to a Node, written into etcd\n", podsPerSet, podsPerNode)
	fmt.Fprint(w, "without controllers; each command once. What the API server answered is told in requests,\nand in bytes as they were sent.\n\n")
	fmt.Fprintln(w, "| command | Pods | time | processor time | memory | requests | answered |")
	fmt.Fprintln(w, "|---|---:|---:|---:|---:|---:|---:|")
	slices.SortStableFunc(rows, func(a, b grown) int { return strings.Compare(a.command, b.command) })
	last := ""
	for _, r := range rows {
		title, limit := "", aim(r.limit > 0 && r.pods == sizes[len(sizes)-1], megabytes(r.limit))
		if r.command != last {
			title, last = "`kubectl ctrl "+r.command+"`", r.command
		}
		fmt.Fprintf(w, "| %s | %d | %s | %s | %s%s | %d | %s |\n", title, r.pods, seconds(r.wall), seconds(r.cpu), megabytes(r.peak), limit, r.requests, megabytes(r.bytes))
	}
	fmt.Fprintf(w, "\nA `trace -A` of the last takes %.0f changes of Pods in a second of one processor, of %d that were\nwritten at once; the aim is 20000.\n", rate, n)
}
