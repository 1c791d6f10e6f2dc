package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// sample is what one process took.
type sample struct {
	wall time.Duration
	// peak is the largest resident set, in bytes.
	peak int64
}

// row is one comparison's outcome: medians, and medians of ratios.
type row struct {
	comparison
	outcomes []outcome
}

// outcome is what the subject and one reference took in their pairs, and
// subject/reference pair by pair. Without a reference it is the subject's alone.
type outcome struct {
	reference
	subject, other sample
	ratio          float64
}

func measure(ctx context.Context, o options, cluster *controlplane.Cluster, all []comparison) (rows []row, err error) {
	home, err := os.MkdirTemp("", "bench-home-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	env := append(os.Environ(), "KUBECONFIG="+cluster.Kubeconfig(), "HOME="+home)
	for _, c := range all {
		fmt.Fprintln(os.Stderr, c.subject.title)
		r, err := compare(ctx, o, env, c)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// compare runs the subject once before each run of a reference, and just once
// where there is none.
func compare(ctx context.Context, o options, env []string, c comparison) (row, error) {
	r := row{comparison: c}
	if len(c.against) == 0 {
		alone, err := c.subject.run(ctx, env)
		r.outcomes = []outcome{{subject: alone}}
		return r, err
	}
	for _, reference := range c.against {
		var subjects, references []sample
		var ratios []float64
		for i := range o.pairsOf(reference) + 1 {
			a, err := c.subject.run(ctx, env)
			if err != nil {
				return r, err
			}
			b, err := reference.run(ctx, env)
			if err != nil {
				return r, err
			}
			if i == 0 {
				continue
			}
			subjects, references = append(subjects, a), append(references, b)
			ratios = append(ratios, a.wall.Seconds()/b.wall.Seconds())
		}
		r.outcomes = append(r.outcomes, outcome{reference, medianOf(subjects), medianOf(references), median(ratios)})
	}
	return r, nil
}

// pairsOf is how often a comparison is made: seldom where nothing is aimed at,
// for kubectl takes its time.
func (o options) pairsOf(r reference) int {
	if r.limit == 0 {
		return min(o.pairs, 2)
	}
	return o.pairs
}

// run fails when the command does: a refusal is quick, and no answer.
func (c command) run(ctx context.Context, env []string) (sample, error) {
	cmd := exec.CommandContext(ctx, c.path, c.args...)
	var stdout countingWriter
	var stderr bytes.Buffer
	cmd.Env, cmd.Stdout, cmd.Stderr = env, &stdout, &stderr
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if err != nil {
		return sample{}, fmt.Errorf("%s: %w: %s", c.title, err, strings.TrimSpace(stderr.String()))
	}
	if stdout == 0 {
		return sample{}, fmt.Errorf("%s: printed nothing", c.title)
	}
	// Linux counts in KiB.
	return sample{wall, cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10}, nil
}

// countingWriter throws away what it counts.
type countingWriter int

func (w *countingWriter) Write(p []byte) (int, error) {
	*w += countingWriter(len(p))
	return len(p), nil
}

func medianOf(all []sample) sample {
	var walls []time.Duration
	var peaks []int64
	for _, s := range all {
		walls, peaks = append(walls, s.wall), append(peaks, s.peak)
	}
	return sample{median(walls), median(peaks)}
}

// median is the middle one, the lower of two.
func median[T cmp.Ordered](all []T) T {
	return slices.Sorted(slices.Values(all))[(len(all)-1)/2]
}
