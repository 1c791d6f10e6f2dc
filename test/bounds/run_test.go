package bounds

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cli"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// row is one command line and what it may cost.
type row struct {
	name string
	// args is the command line. INPUT in it stands for the path of the input.
	args []string
	// input writes n objects. The same n writes the same text.
	input func(w io.Writer, n int) error
	// serve is the API server of n objects that the command reads; nil for none.
	serve func(n int) http.Handler
	n     int
	// allocated bounds what the command allocates over its whole life, in MB.
	allocated float64
	// resident bounds the largest resident set, in MB; 0 means 300.
	resident float64
	// growth bounds allocated(2n) / allocated(n); 0 means 2.3, a negative value
	// means that the command refuses the input and only its cost is bounded.
	growth float64
	// status is the exit status that the command must end with.
	status int
	// want must be part of what the command prints, on either stream.
	want string
}

// cost is what a command used, as its own process counted it.
type cost struct {
	Status    int
	Allocated uint64 // bytes, over the whole life
	Resident  uint64 // bytes, the largest set
	printed   string
}

const mega = 1e6

// bound runs the rows.
func bound(t *testing.T, rows []row) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) { r.check(t) })
	}
}

func (r row) check(t *testing.T) {
	once := r.measure(t, r.n)
	t.Logf("n=%d: allocated %.1f MB, resident %.0f MB, printed %d bytes", r.n, float64(once.Allocated)/mega, float64(once.Resident)/mega, len(once.printed))
	if once.Status != r.status {
		t.Errorf("exit status %d, want %d:\n%s", once.Status, r.status, head(once.printed))
	}
	if r.want != "" && !strings.Contains(strings.Join(strings.Fields(once.printed), " "), r.want) {
		t.Errorf("printed no %q:\n%s", r.want, head(once.printed))
	}
	if mb := float64(once.Allocated) / mega; mb > r.allocated {
		t.Errorf("allocated %.1f MB, want at most %g", mb, r.allocated)
	}
	if mb, most := float64(once.Resident)/mega, or(r.resident, 300); mb > most {
		t.Errorf("resident set %.0f MB, want at most %g", mb, most)
	}
	if r.growth < 0 || t.Failed() {
		return
	}
	twice := r.measure(t, 2*r.n)
	if ratio := float64(twice.Allocated) / float64(once.Allocated); ratio > or(r.growth, 2.3) {
		t.Errorf("twice the objects allocate %.2f times as much (%.1f MB), want at most %g", ratio, float64(twice.Allocated)/mega, or(r.growth, 2.3))
	}
}

func or(value, otherwise float64) float64 {
	if value == 0 {
		return otherwise
	}
	return value
}

func head(text string) string { return text[:min(len(text), 2000)] }

// measure runs the command over an input of n objects.
func (r row) measure(t *testing.T, n int) cost {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "input")
	r.write(t, path, n)
	args := make([]string, len(r.args))
	for i, a := range r.args {
		args[i] = a
		if a == "INPUT" {
			args[i] = path
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	child := exec.CommandContext(ctx, self, args...)
	counts := filepath.Join(dir, "counts")
	child.Env = append(os.Environ(), countsTo+"="+counts, "NO_COLOR=1", "GOMAXPROCS=1")
	child.Env = append(child.Env, r.server(t, dir, n)...)
	printed, err := child.CombinedOutput()
	if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	text, err := os.ReadFile(counts)
	if err != nil {
		t.Fatalf("the command crashed: %s", head(string(printed)))
	}
	c := cost{printed: string(printed)}
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

func (r row) write(t *testing.T, path string, n int) {
	t.Helper()
	if r.input == nil {
		return
	}
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.input(file, n), file.Close()); err != nil {
		t.Fatal(err)
	}
}

// countsTo is the variable that makes this binary the command, and says where
// to write what it cost.
const countsTo = "BOUNDS_COUNTS"

func TestMain(m *testing.M) {
	if path := os.Getenv(countsTo); path != "" {
		os.Exit(command(path))
	}
	os.Exit(m.Run())
}

// command is the program itself.
func command(path string) int {
	root := cli.New(cli.Env{
		Controllers: plugins.All(),
		IOStreams:   genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr},
		Clock:       clock.RealClock{}, Getenv: os.Getenv,
		Width: func() int { return 0 }, Name: "kubectl ctrl", Version: "v0.0.0-test",
	})
	root.SetArgs(os.Args[1:])
	status, text := cli.ExitStatus(root.ExecuteContext(context.Background()))
	if text != "" {
		fmt.Fprintln(os.Stderr, text)
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	peak, err := peak()
	counts, failed := json.Marshal(cost{Status: status, Allocated: stats.TotalAlloc, Resident: peak})
	if err = errors.Join(err, failed); err == nil {
		err = os.WriteFile(path, counts, 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 99
	}
	return status
}

// peak is the largest resident set of this process, in bytes. What wait reports
// of a child has the set of its parent in it, from which it was forked.
func peak() (uint64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if value, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kilobytes, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
			return kilobytes * 1024, err
		}
	}
	return 0, errors.New("the largest resident set is not in /proc/self/status")
}
