// Package states puts realistic states of a cluster to the commands that people type
// when something is wrong: is the cause in the first line, the object named, the next
// command right, and nothing false?
//
// Each state is a cluster as kubectl get -o yaml shows it, put together in one of the
// files named after what is wrong. Its answers are in testdata; go test ./test/states
// -rewrite writes them anew. What has to be true of them stands beside the state, and is
// not rewritten. go test ./test/states -clusters DIRECTORY writes the clusters.
package states

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cli"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	kubeapi "github.com/kubectl-ctrl/kubectl-ctrl/test/apiserver"
	wrapped "github.com/kubectl-ctrl/kubectl-ctrl/test/columns"
)

var (
	rewrite  = flag.Bool("rewrite", false, "write the answers anew")
	clusters = flag.String("clusters", "", "write the clusters of all states into this directory")
)

// state is one that a cluster may be in.
type state struct {
	name string
	// target is what is asked about, as TYPE/NAME of namespace shop.
	target string
	// plan are the arguments of plan behind the target.
	plan []string
	// cluster is put together anew for each test.
	cluster func(c *cluster)
	// version is the release that is modelled, 1.36 where none is given.
	version string
	want    want
}

// states are all of them, by what is wrong.
var states = [][]state{stableStates, podStates, createStates, rolloutStates, nodeStates, cloneSetStates, statefulSetStates, ownerStates, askedStates}

func TestStates(t *testing.T) {
	for _, group := range states {
		for _, s := range group {
			t.Run(s.name, func(t *testing.T) { newAsked(t, s).check() })
		}
	}
}

// asked is a state with all answers about it.
type asked struct {
	*testing.T
	state
	built *cluster
	// file has the cluster, as text.
	file, text string
}

func newAsked(t *testing.T, s state) *asked {
	t.Helper()
	a := &asked{T: t, state: s, built: newCluster()}
	s.cluster(a.built)
	dir := t.TempDir()
	if *clusters != "" {
		dir = *clusters
	}
	a.file = filepath.Join(dir, s.name+".yaml")
	a.text = a.built.yaml(t)
	if err := os.WriteFile(a.file, []byte(a.text), 0o600); err != nil {
		t.Fatal(err)
	}
	return a
}

// answer is what a command prints, and how it ends.
type answer struct {
	out, errs string
	status    int
}

// first is the first line, with what of it had to be wrapped.
func (a answer) first() string {
	line, rest, _ := strings.Cut(a.out, "\n")
	for more, after, _ := strings.Cut(rest, "\n"); strings.HasPrefix(more, "  "); more, after, _ = strings.Cut(after, "\n") {
		line += " " + strings.TrimSpace(more)
	}
	return line
}

// run runs a command on the saved cluster.
func (a *asked) run(args ...string) answer {
	a.Helper()
	return a.runWith(&output{}, stopped{}, append(args, "--from", a.file, "--at", now.Format(time.RFC3339), "--emulate-version", version(a.state)))
}

func (a *asked) runWith(out *output, at clock.Clock, args []string) answer {
	var errs bytes.Buffer
	root := cli.New(cli.Env{
		IOStreams:   genericiooptions.IOStreams{In: strings.NewReader(""), Out: out, ErrOut: &errs},
		Controllers: plugins.All(), Clock: at, Name: "kubectl ctrl", Version: "v0.0.0-test",
		Getenv: func(string) string { return "" }, Width: func() int { return 0 },
	})
	root.SetArgs(args)
	status, text := cli.ExitStatus(root.ExecuteContext(a.Context()))
	if text != "" {
		fmt.Fprintln(&errs, text)
	}
	read := " --from " + a.file + " --at " + now.Format(time.RFC3339) // as the next command does
	return answer{strings.ReplaceAll(out.String(), read, ""), errs.String(), status}
}

// version is the release that is modelled.
func version(s state) string { return cmp.Or(s.version, "1.36") }

// stopped is a clock at the instant of all states; time passes only for timers.
type stopped struct{ clock.RealClock }

func (stopped) Now() time.Time                  { return now }
func (stopped) Since(t time.Time) time.Duration { return now.Sub(t) }

// timeout is how long wait waits.
const timeout = 90 * time.Second

// hasty is a clock on which the timeout is over soon after something was printed.
type hasty struct {
	stopped
	out *output
}

func (c hasty) NewTimer(d time.Duration) clock.Timer {
	t := c.stopped.NewTimer(d)
	if d == timeout {
		c.out.after = func() { t.Reset(100 * time.Millisecond) }
	}
	return t
}

// output is what a command prints; after runs when the first of it was printed.
type output struct {
	bytes.Buffer
	after func()
}

func (o *output) Write(p []byte) (int, error) {
	if o.after != nil && o.Len() == 0 {
		o.after()
	}
	return o.Buffer.Write(p)
}

// wait runs wait on a server that has the cluster.
func (a *asked) wait() answer {
	a.Helper()
	objs, err := bundle.ReadObjects([]string{a.file}, nil)
	if err != nil {
		a.Fatal(err)
	}
	server := kubeapi.New(objs)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", now.Format(http.TimeFormat))
		server.ServeHTTP(w, r)
	}))
	defer web.Close()
	defer web.CloseClientConnections()
	config := filepath.Join(a.TempDir(), "kubeconfig")
	if err := os.WriteFile(config, []byte(kubeapi.Kubeconfig(web.URL)), 0o600); err != nil {
		a.Fatal(err)
	}
	out := &output{}
	return a.runWith(out, hasty{out: out}, []string{"wait", a.target, "-n", "shop", "--timeout", "90s", "--kubeconfig", config})
}

// transcript is what is compared with testdata.
type transcript struct{ strings.Builder }

func (t *transcript) add(command string, a answer) {
	fmt.Fprintf(t, "$ kubectl ctrl %s\n%s%sexit status %d\n\n", command, a.out, a.errs, a.status)
}

// check asks all four, and holds the answers against what is wanted and against testdata.
func (a *asked) check() {
	var said transcript
	explain := a.run("explain", a.target, "-n", "shop", "--exit-code")
	said.add("explain "+a.target+" -n shop --exit-code", explain)
	plan := a.run(append([]string{"plan", a.target, "-n", "shop", "--exit-code"}, a.plan...)...)
	said.add(strings.Join(append([]string{"plan", a.target, "-n shop --exit-code"}, a.plan...), " "), plan)
	wait := a.wait()
	said.add("wait "+a.target+" -n shop --timeout 90s", wait)
	orphans := a.run("orphans", "-n", "shop", "--exit-code")
	said.add("orphans -n shop --exit-code", orphans)
	a.compare(said.String())
	for _, line := range wrapped.Long(explain.out + plan.out + orphans.out) {
		a.Errorf("longer than %d columns: %s", wrapped.Most, line)
	}
	a.checkFirst(explain)
	a.checkJSON()
	a.checkPlan(plan)
	a.checkWait(wait)
	a.checkOrphans(orphans)
	a.checkClaims(explain, plan, wait, orphans)
	a.checkEnd(explain)
}

func (a *asked) compare(got string) {
	a.Helper()
	path := filepath.Join("testdata", a.name+".txt")
	if *rewrite {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			a.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(path)
	if err != nil {
		a.Fatal(err)
	}
	if diff := gocmp.Diff(string(text), got); diff != "" {
		a.Errorf("other answers than in %s (-want +got):\n%s", path, diff)
	}
}
