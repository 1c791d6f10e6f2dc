package main

import (
	_ "embed"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"
)

//go:embed introduction.md
var introduction string

// report writes docs/performance.md.
func report(w io.Writer, all []workload, o options, rows []row) error {
	fmt.Fprint(w, introduction)
	fmt.Fprintf(w, "%d pods of two containers in %d ReplicaSets; %d of them in the namespace %s. ",
		pods(all), len(all), pods(all[:inCrowded]), crowded)
	fmt.Fprintf(w, "%d processors, shared with the API server; %d pairs a comparison with an aim, %d one without; medians.\n\n",
		runtime.NumCPU(), o.pairs, o.pairsOf(reference{}))
	fmt.Fprintln(w, "| command | time | memory | compared with | its time | its memory | ratio | aim |")
	fmt.Fprintln(w, "|---|---:|---:|---|---:|---:|---:|---:|")
	for _, r := range rows {
		title := "`" + r.subject.title + "`"
		for _, a := range r.outcomes {
			fmt.Fprintf(w, "| %s | %s | %s%s |%s\n", title, seconds(a.subject.wall), megabytes(a.subject.peak), aim(r.memory > 0, megabytes(r.memory)), a.columns())
			title = ""
		}
	}
	return benchmarks(w, o.benchmarks)
}

// columns are those about the reference.
func (a outcome) columns() string {
	if a.title == "" {
		return " | | | | |"
	}
	return fmt.Sprintf(" %s | %s | %s | %.2f | %s |", a.title, seconds(a.other.wall), megabytes(a.other.peak), a.ratio,
		strings.TrimSpace(aim(a.limit > 0, fmt.Sprint(a.limit))))
}

// aim is what was to be reached, empty where nothing was.
func aim(set bool, limit string) string {
	if !set {
		return ""
	}
	return " ≤ " + limit
}

// benchmarks copies the results out of what "go test -bench" printed.
func benchmarks(w io.Writer, path string) error {
	if path == "" {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	fmt.Fprint(w, "\n## Deciding and reading\n\nGo benchmarks of the same run, without a cluster.\n\n```text\n")
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "Benchmark") {
			fmt.Fprintln(w, strings.Join(strings.Fields(line), " "))
		}
	}
	fmt.Fprintln(w, "```")
	return nil
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

func megabytes(bytes int64) string { return fmt.Sprintf("%d MB", bytes/1_000_000) }
