package trace

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
)

// tracing is the tool at work.
type tracing struct {
	*testing.T
	cmd    *exec.Cmd
	stderr bytes.Buffer
	done   chan struct{}

	mu      sync.Mutex
	entries []entry.Entry
	last    time.Time
}

// startTrace returns when the trace has begun.
func startTrace(t *testing.T, kubeconfig string, args ...string) *tracing {
	t.Helper()
	r := &tracing{T: t, done: make(chan struct{})}
	r.cmd = exec.Command(env.tool, append([]string{"trace", "-o", "json", "--kubeconfig", kubeconfig}, args...)...)
	r.cmd.Stderr = &r.stderr
	out, err := r.cmd.StdoutPipe()
	check(t, err)
	check(t, r.cmd.Start())
	t.Cleanup(func() { _ = r.cmd.Process.Kill() })
	go func() {
		defer close(r.done)
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 16<<20)
		for lines.Scan() {
			r.read(lines.Bytes())
		}
	}()
	r.await(30*time.Second, "the first lists", func(e entry.Entry) bool { return e.Type == entry.Started })
	return r
}

func (r *tracing) read(line []byte) {
	var e entry.Entry
	if err := json.Unmarshal(line, &e); err != nil {
		r.Errorf("%v in %s", err, line)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.entries = append(r.entries, e)
	if e.Type != entry.Judged {
		r.last = time.Now()
	}
}

func (r *tracing) all() []entry.Entry {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.entries)
}

// await returns the first entry that matches.
func (r *tracing) await(limit time.Duration, what string, match func(entry.Entry) bool) entry.Entry {
	r.Helper()
	for deadline := time.Now().Add(limit); ; time.Sleep(50 * time.Millisecond) {
		all := r.all()
		if i := slices.IndexFunc(all, match); i >= 0 {
			return all[i]
		}
		if time.Now().After(deadline) {
			r.Fatalf("no %s within %v; %d entries; %s; the last:\n%s", what, limit, len(all), r.stderr.String(), lastOf(all))
		}
	}
}

func lastOf(all []entry.Entry) string {
	var b strings.Builder
	for _, e := range all[max(len(all)-12, 0):] {
		_ = render.TraceLine(&b, &e, render.Options{})
	}
	return b.String()
}

// quiet waits until nothing has been said for some time.
func (r *tracing) quiet(silence, limit time.Duration) {
	r.Helper()
	for deadline := time.Now().Add(limit); ; time.Sleep(100 * time.Millisecond) {
		r.mu.Lock()
		silent := time.Since(r.last)
		r.mu.Unlock()
		if silent > silence {
			return
		}
		if time.Now().After(deadline) {
			r.Fatalf("the trace is not quiet within %v", limit)
		}
	}
}

// stop interrupts the tool, as a user does, and returns its summary.
func (r *tracing) stop() entry.Summary {
	r.Helper()
	check(r.T, r.cmd.Process.Signal(syscall.SIGINT))
	<-r.done
	if err := r.cmd.Wait(); err != nil {
		r.Fatalf("%v: %s", err, r.stderr.String())
	}
	for _, e := range slices.Backward(r.all()) {
		if e.Summary != nil {
			return *e.Summary
		}
	}
	r.Fatal("the trace ends without a summary")
	return entry.Summary{}
}

func verdictOn(name string, state entry.State, rules ...string) func(entry.Entry) bool {
	return func(e entry.Entry) bool {
		if e.Verdict == nil || e.Verdict.State != state || e.Object == nil || e.Object.Name != name {
			return false
		}
		return len(rules) == 0 || slices.ContainsFunc(e.Verdict.Evidence, func(x decision.Evidence) bool { return slices.Contains(rules, x.Rule) })
	}
}

func has(all []decision.Evidence, rule string) bool {
	return slices.ContainsFunc(all, func(x decision.Evidence) bool { return x.Rule == rule })
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func slug(name string) string {
	return strings.ToLower(strings.NewReplacer("/", "-", "_", "-").Replace(name))
}
