package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cli"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	kubeapi "github.com/kubectl-ctrl/kubectl-ctrl/test/apiserver"
)

// web is replicaset/web with two Pods.
type web struct {
	generation, observed, available int
	// waiting is why the Pods that are not available wait.
	waiting string
	// minReady is minReadySeconds.
	minReady int
}

const setOf = `
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: web, namespace: shop, uid: web, generation: %d, labels: {app: web}}
spec:
  replicas: 2
  minReadySeconds: %d
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: shop/web}]}}
status: {observedGeneration: %d, replicas: 2, fullyLabeledReplicas: 2, readyReplicas: %d, availableReplicas: %[4]d}
`

const podOf = `---
apiVersion: v1
kind: Pod
metadata:
  name: web-%d
  namespace: shop
  uid: web-%[1]d
  labels: {app: web}
  ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: web, controller: true}]
spec: {nodeName: n1, containers: [{name: main, image: shop/web}]}
status:
  phase: Running
  startTime: %q
  conditions:
  - {type: PodScheduled, status: "True", lastTransitionTime: %[2]q}
  - {type: Initialized, status: "True", lastTransitionTime: %[2]q}
  - {type: Ready, status: %[3]q, lastTransitionTime: %[2]q}
  containerStatuses: [{name: main, image: shop/web, imageID: i, ready: %[4]t, started: %[4]t, restartCount: 0, state: %[5]s}]
`

func (w web) objects(t *testing.T) []bundle.Object {
	t.Helper()
	now := time.Now().UTC().Format(time.RFC3339)
	text := fmt.Sprintf(setOf, w.generation, w.minReady, w.observed, w.available)
	for i := range 2 {
		ready, status, state := i < w.available, "False", fmt.Sprintf("{waiting: {reason: %q}}", w.waiting)
		if ready {
			status, state = "True", fmt.Sprintf("{running: {startedAt: %q}}", now)
		}
		text += fmt.Sprintf(podOf, i, now, status, ready, state)
	}
	objs, err := bundle.ReadObjects([]string{"-"}, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return objs
}

// waitRun is a command that runs on a server which changes meanwhile.
type waitRun struct {
	*kubeapi.Server
	t         *testing.T
	web       *httptest.Server
	out, errs *output
	interrupt context.CancelFunc
	done      chan error
}

// startWait runs wait rs/web with more arguments.
func startWait(t *testing.T, from web, env cli.Env, args ...string) *waitRun {
	t.Helper()
	return startWaitOn(t, kubeapi.New(from.objects(t)), env, args...)
}

func startWaitOn(t *testing.T, s *kubeapi.Server, env cli.Env, args ...string) *waitRun {
	t.Helper()
	r := &waitRun{Server: s, t: t, out: &output{}, errs: &output{}, done: make(chan error, 1)}
	r.web = httptest.NewServer(r.Server)
	t.Cleanup(r.web.Close)
	t.Cleanup(r.web.CloseClientConnections)
	config := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(config, []byte(kubeapi.Kubeconfig(r.web.URL)), 0o600); err != nil {
		t.Fatal(err)
	}
	if env.Out == nil {
		env.Out = r.out
	}
	if env.Clock == nil {
		env.Clock = clock.RealClock{}
	}
	if env.Width == nil {
		env.Width = func() int { return 0 }
	}
	if env.Getenv == nil {
		env.Getenv = none
	}
	env.IOStreams = genericiooptions.IOStreams{In: strings.NewReader(""), Out: env.Out, ErrOut: r.errs}
	env.Controllers, env.Name, env.Version = plugins.All(), "kubectl ctrl", "v0.0.0-test"
	root := cli.New(env)
	root.SetArgs(append([]string{"wait", "rs/web", "-n", "shop", "--kubeconfig", config}, args...))
	ctx, cancel := context.WithCancel(t.Context())
	r.interrupt = cancel
	t.Cleanup(cancel)
	go func() { r.done <- root.ExecuteContext(ctx) }()
	return r
}

// put stores another state.
func (r *waitRun) put(w web) {
	r.t.Helper()
	objs := w.objects(r.t)
	for _, obj := range slices.Backward(objs) { // the Pods first
		r.Put(obj)
	}
}

// ends wants an exit status, and that standard error matches.
func (r *waitRun) ends(status int, errs string) {
	r.t.Helper()
	select {
	case err := <-r.done:
		got, text := cli.ExitStatus(err)
		if all := r.errs.String() + text; got != status || !regexp.MustCompile(`^(?:`+errs+`)$`).MatchString(all) {
			r.t.Errorf("exit status %d, want %d; standard error %q does not match %q", got, status, all, errs)
		}
	case <-time.After(patience):
		r.t.Fatalf("it does not end:\n%s%s", r.out, r.errs)
	}
}

func (r *waitRun) printed(want string) {
	r.t.Helper()
	if got := r.out.String(); got != want {
		r.t.Errorf("printed\n%swant\n%s", got, want)
	}
}

const (
	noneAvailable = "replicaset/web in shop: progressing, 0 of 2 available; 2 ContainerCreating.\n"
	allAvailable  = "replicaset/web in shop: stable, 2 of 2 replicas available.\n"
	notObserved   = "replicaset/web in shop: reconciling, 2 of 2 available; generation 2 not observed.\n"
)

var (
	starting = web{1, 1, 0, "ContainerCreating", 0}
	stable   = web{1, 1, 2, "", 0}
)

// TestWait says each change in a line, and ends when all is available.
func TestWait(t *testing.T) {
	t.Parallel()
	r := startWait(t, starting, cli.Env{})
	r.out.await(t, noneAvailable)
	r.put(web{1, 1, 1, "ContainerCreating", 0})
	r.out.await(t, "1 of 2 available; web-1 ContainerCreating")
	r.put(stable)
	r.ends(0, "")
	if got := r.out.String(); !strings.HasPrefix(got, noneAvailable) || !strings.HasSuffix(got, allAvailable) || strings.Count(got, "\n") != 3 {
		t.Errorf("not a line for each change:\n%s", got)
	}
}

// TestWaitForGeneration: nothing is stable before its controller has looked at it.
func TestWaitForGeneration(t *testing.T) {
	t.Parallel()
	r := startWait(t, web{2, 1, 2, "", 0}, cli.Env{})
	r.out.await(t, notObserved)
	r.put(web{2, 2, 2, "", 0})
	r.ends(0, "")
	r.printed(notObserved + allAvailable)
}

// TestWaitBlocked ends at once, with the Pods that explain it and the cause last.
func TestWaitBlocked(t *testing.T) {
	t.Parallel()
	r := startWait(t, starting, cli.Env{})
	r.out.await(t, noneAvailable)
	r.put(web{1, 1, 1, "InvalidImageName", 0})
	r.ends(3, "")
	if got := r.out.String(); !strings.Contains(got, "web-1   0/1     InvalidImageName") ||
		!strings.HasSuffix(got, "\nNext: kubectl describe pod web-1 -n shop\n\nreplicaset/web in shop: blocked, 1 of 2 available; 1 invalid image name.\n") {
		t.Errorf("not what blocks it, and the cause last:\n%s", got)
	}
}

// TestWaitBlockedFor: the time that a cause may last is for the user to say.
func TestWaitBlockedFor(t *testing.T) {
	t.Parallel()
	bad, slow := web{1, 1, 1, "InvalidImageName", 0}, web{1, 1, 1, "CreateContainerConfigError", 0}
	startWait(t, slow, cli.Env{}, "--blocked-for", "0").ends(3, "")
	startWait(t, starting, cli.Env{}, "--blocked-for", "0", "--timeout", "2s").ends(1, "error: timed out after 2s: .*")
	startWait(t, slow, cli.Env{}, "--timeout", "2s").ends(1, "error: timed out after 2s: .*")
	r := startWait(t, bad, cli.Env{}, "--blocked-for", "1h")
	r.out.await(t, "progressing, 1 of 2 available; web-1 invalid image name")
	r.put(stable)
	r.ends(0, "")
}

// TestWaitTimesOut: the last line has the cause.
func TestWaitTimesOut(t *testing.T) {
	t.Parallel()
	r := startWait(t, starting, cli.Env{}, "--timeout", "1s")
	r.ends(1, `error: timed out after 1s: replicaset/web in shop: progressing, 0 of 2 available; 2 ContainerCreating`)
	if !strings.Contains(r.out.String(), "web-0   0/1     ContainerCreating") {
		t.Errorf("no Pods:\n%s", r.out)
	}
}

// TestWaitIsInterrupted: a wait that was given up is no success.
func TestWaitIsInterrupted(t *testing.T) {
	t.Parallel()
	r := startWait(t, starting, cli.Env{})
	r.out.await(t, noneAvailable)
	r.interrupt()
	r.ends(2, "error: context canceled")
}

// TestWaitForDeleted: what is deleted does not become stable.
func TestWaitForDeleted(t *testing.T) {
	t.Parallel()
	r := startWait(t, starting, cli.Env{})
	r.out.await(t, noneAvailable)
	r.Remove("replicaset/shop/web")
	r.ends(2, `error: replicasets.apps "web" not found in namespace "shop".*`)
}

// TestWaitWithoutServer: without a current answer nothing is stable. A server that
// comes back is asked again; one that does not is an error in the end.
func TestWaitWithoutServer(t *testing.T) {
	t.Parallel()
	down := func(r *waitRun) { _ = r.web.Listener.Close(); r.web.CloseClientConnections() }
	r := startWait(t, starting, cli.Env{}, "--timeout", "4s")
	r.out.await(t, noneAvailable)
	down(r)
	r.ends(2, `warning: no current answer yet: cannot watch .*\nerror: timed out after 4s without a current answer: cannot watch .*`)
	r = startWait(t, starting, cli.Env{Clock: hurried{began: time.Now()}})
	r.out.await(t, noneAvailable)
	down(r)
	r.ends(2, `warning: no current answer yet: cannot watch .*\nerror: no current answer for 2m0s: cannot watch .*`)
	r.printed(noneAvailable)
}

// TestWaitNeedsWatch: who may only list is told what the wait takes.
func TestWaitNeedsWatch(t *testing.T) {
	t.Parallel()
	s := kubeapi.New(starting.objects(t))
	s.NoWatches = true
	startWaitOn(t, s, cli.Env{}).ends(2, "(?:warning: .*\n)?error: cannot watch .* in namespace shop.*; wait takes the verb watch beside list")
}

// TestWaitOfAssumedVersion: whoever may not see the controller manager is told once
// which version is taken for granted.
func TestWaitOfAssumedVersion(t *testing.T) {
	t.Parallel()
	s := kubeapi.New(starting.objects(t))
	s.Forbidden = []string{"pods@kube-system"}
	r := startWaitOn(t, s, cli.Env{})
	r.out.await(t, noneAvailable)
	r.put(stable)
	r.ends(0, `warning: [^\n]*\n`)
}

// TestWaitForLostWatch: time alone makes nothing stable of which no change is seen.
func TestWaitForLostWatch(t *testing.T) {
	t.Parallel()
	ready := web{generation: 1, observed: 1, available: 2, minReady: 4}
	r := startWait(t, ready, cli.Env{})
	r.out.await(t, "waiting for minReadySeconds")
	r.Fails(true)
	r.web.CloseClientConnections()
	r.errs.await(t, "warning: no current answer yet: cannot watch ")
	time.Sleep(6 * time.Second)
	if len(r.done) > 0 || strings.Contains(r.out.String(), "stable, ") {
		t.Errorf("it ends without a current answer:\n%s", r.out)
	}
	r.Fails(false)
	r.ends(0, "(?s)warning: .*")
}

// TestWaitForDeadServer: a server that hangs keeps its connections, and no watch fails.
// What became stable by time alone is read again.
func TestWaitForDeadServer(t *testing.T) {
	t.Parallel()
	r := startWait(t, web{generation: 1, observed: 1, available: 2, minReady: 3}, cli.Env{}, "--timeout", "7s")
	r.out.await(t, "waiting for minReadySeconds")
	r.Hangs()
	r.ends(2, "error: timed out after 7s without .*answer.*")
	if strings.Contains(r.out.String(), "stable, ") {
		t.Errorf("stable without an answer:\n%s", r.out)
	}
}

// TestWaitForLaggingWatch: what only a watch that lags shows to be blocked is not.
func TestWaitForLaggingWatch(t *testing.T) {
	t.Parallel()
	r := startWait(t, starting, cli.Env{})
	r.out.await(t, noneAvailable)
	was := web{1, 1, 0, "InvalidImageName", 0}.objects(t)
	for i, obj := range slices.Backward(stable.objects(t)) {
		r.PutBehind(obj, was[i])
	}
	r.ends(0, "")
	if strings.Contains(r.out.String(), "blocked") {
		t.Errorf("blocked by what is no longer so:\n%s", r.out)
	}
}

// TestWaitDocuments is a document for each change.
func TestWaitDocuments(t *testing.T) {
	t.Parallel()
	r := startWait(t, starting, cli.Env{}, "-o", "json")
	r.out.await(t, `"state": "Progressing"`)
	r.put(web{1, 1, 1, "InvalidImageName", 0})
	r.ends(3, "")
	var got []string
	for d := json.NewDecoder(strings.NewReader(r.out.String())); ; {
		var doc struct {
			Kind, State, Cause    string
			BlockedBy, WaitingFor []any
		}
		if err := d.Decode(&doc); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s %s %s %d %d", doc.Kind, doc.State, doc.Cause, len(doc.BlockedBy), len(doc.WaitingFor)))
	}
	if want := "Explanation Progressing 2 ContainerCreating 0 2; Explanation Blocked 1 invalid image name 1 0"; strings.Join(got, "; ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "; "), want)
	}
}

// hurried is a clock on which a minute takes a second.
type hurried struct {
	clock.RealClock
	began time.Time
}

const hurry = 60

func (h hurried) Now() time.Time { return h.began.Add(hurry * time.Since(h.began)) }

func (h hurried) Since(t time.Time) time.Duration { return h.Now().Sub(t) }

func (h hurried) After(d time.Duration) <-chan time.Time { return time.After(d / hurry) }
