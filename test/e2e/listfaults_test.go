package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// TestListFails is about servers that cannot answer LIST for a while, or at
// all.
func TestListFails(t *testing.T) {
	w := newWorld(t, t.Name())
	w.check(env.kcm.hold(t.Context(), killed))
	surplus(1, pod{name: "a", node: bare0, ready: day}, pod{name: "b", node: bare0, ready: minutes})(w)
	for _, code := range []int{http.StatusTooManyRequests, http.StatusInternalServerError} {
		t.Run(fmt.Sprintf("%d twice", code), func(t *testing.T) { w.in(t).wantRecovery(code) })
		t.Run(fmt.Sprintf("%d for pods", code), func(t *testing.T) { w.in(t).wantFailure(code) })
		t.Run(fmt.Sprintf("%d for quotas", code), func(t *testing.T) { w.in(t).wantCaveat(code) })
	}
}

// wantRecovery has two lists of the namespace's pods fail and wants the answer all
// the same. Those of the controller manager are read at the same time, each twice
// at most: whether both failures meet one of them would be chance.
func (w *world) wantRecovery(code int) {
	w.Helper()
	p := newProxy(w, within(w.namespace, failing("pods", code, 2)))
	r := w.call(p.tool(w), false, "plan", "rs/web", "-o", "name")
	if r.code != 0 || r.stdout != "pod/b\n" || r.stderr != "" {
		w.Errorf("exit status %d, output %q, error %q", r.code, r.stdout, r.stderr)
	}
}

// wantFailure has all lists of pods fail and wants to be told.
func (w *world) wantFailure(code int) {
	w.Helper()
	p := newProxy(w, failing("pods", code, -1))
	r := w.call(p.tool(w), false, "plan", "rs/web", "--request-timeout", "3s")
	if r.code != 2 || r.stdout != "" {
		w.Errorf("exit status %d, output %q", r.code, r.stdout)
	}
	if want := "pods in namespace " + w.namespace; !strings.Contains(r.stderr, want) {
		w.Errorf("the error does not say %q: %s", want, r.stderr)
	}
}

// wantCaveat has all lists of quotas fail, which the answer can do without.
func (w *world) wantCaveat(code int) {
	w.Helper()
	p := newProxy(w, failing("resourcequotas", code, -1))
	r := w.call(p.tool(w), false, "plan", "rs/web", "--replicas", "4", "-o", "json", "--request-timeout", "3s")
	if r.code != 0 {
		w.Fatalf("exit status %d: %s", r.code, r.stderr)
	}
	plan, err := parsePlan(r.stdout)
	w.check(err)
	if plan.Summary.Create != 2 {
		w.Errorf("the plan is %q", plan.Answer)
	}
	about := ""
	for _, c := range plan.Caveats {
		about += c.Code + " " + c.Message + "\n"
	}
	// The controller manager elects no leader here: its Lease was looked for, and is not there.
	if lines := strings.Split(about, "\n"); len(lines) != 3 || !strings.HasPrefix(lines[0], "NotRead resourcequotas in namespace "+w.namespace+": ") || !strings.HasPrefix(lines[1], "NotFound there is no Lease kube-system/kube-controller-manager: ") {
		w.Errorf("the caveats are:\n%s", about)
	}
}

// TestAggregatedAPIDown wants an API whose server is gone to make no
// difference, though discovery through kubectl stumbles over it.
func TestAggregatedAPIDown(t *testing.T) {
	w := newWorld(t, t.Name())
	w.check(env.kcm.hold(t.Context(), killed))
	surplus(1, pod{name: "a", node: bare0, ready: day}, pod{name: "b", node: bare0, ready: minutes})(w)
	w.kubectl("apply", "-f", "testdata/apiservice.yaml")
	defer w.kubectl("delete", "-f", "testdata/apiservice.yaml")
	w.kubectl("wait", "-f", "testdata/apiservice.yaml", "--for=condition=Available=false", "--timeout=30s")
	if out := w.run(true, "plan", "rs/web", "-o", "name"); out != "pod/b\n" {
		t.Errorf("the plan is %q", out)
	}
}

// within leaves alone what is not about a namespace.
func within(namespace string, f fault) fault {
	return func(response http.ResponseWriter, r *http.Request) bool {
		return strings.Contains(r.URL.Path, "/namespaces/"+namespace+"/") && f(response, r)
	}
}

// failing answers lists of a resource with an error so many times; -1 is always.
func failing(resource string, code, times int) fault {
	var mu sync.Mutex
	return func(response http.ResponseWriter, r *http.Request) bool {
		mu.Lock()
		defer mu.Unlock()
		if !isListOf(r, resource) || times == 0 {
			return false
		}
		times--
		answerStatus(response, code, strings.ReplaceAll(http.StatusText(code), " ", ""), "the test says so")
		return true
	}
}
