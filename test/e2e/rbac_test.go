package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// The users: one who may do everything and does nothing but call the tool, and
// some who may not.
const (
	toolUser     = "tool"
	oneNamespace = "one-namespace"
	podsOnly     = "pods-only"
	setsOnly     = "sets-only"
	podsAndSets  = "pods-and-sets"
)

var users = []controlplane.User{
	{Name: toolUser, Groups: []string{"system:masters"}},
	{Name: oneNamespace}, {Name: podsOnly}, {Name: setsOnly}, {Name: podsAndSets}, {Name: reader}, {Name: local},
}

// resources are what the tool may ask for within a namespace.
var resources = []string{
	"pods", "events", "resourcequotas", "limitranges", "replicasets", "replicationcontrollers", "deployments", "daemonsets", "statefulsets", "jobs",
	"horizontalpodautoscalers",
}

func TestRBAC(t *testing.T) {
	w := newWorld(t, t.Name())
	w.check(env.kcm.hold(t.Context(), killed))
	withOrphans(3, []pod{{name: "a", node: bare0, ready: day}}, pod{name: "orphan", node: bare1, ready: hour})(w)
	for user, allowed := range map[string][]string{
		oneNamespace: resources, podsOnly: {"pods"}, setsOnly: {"replicasets"}, podsAndSets: {"pods", "replicasets"},
	} {
		w.allow(user, allowed)
	}
	t.Run("one namespace only", w.testOneNamespace)
	t.Run("pods, but not replicasets", func(t *testing.T) {
		w.in(t).wantRefused(podsOnly, "plan", "rs/web", "replicasets.apps web in namespace "+w.namespace+": forbidden for this user")
	})
	t.Run("replicasets, but not pods", func(t *testing.T) {
		w.in(t).wantRefused(setsOnly, "plan", "rs/web", "pods in namespace "+w.namespace, "forbidden for this user")
	})
	t.Run("several contexts", w.testContexts)
	t.Run("nothing but pods and replicasets", func(t *testing.T) {
		w.in(t).wantCaveats(podsAndSets, "pods in namespace kube-system", "resourcequotas", "limitranges", "events", "leases", "namespaces", "replicationcontrollers", "daemonsets", "statefulsets", "jobs")
	})
}

// in is the same world for a subtest.
func (w *world) in(t *testing.T) *world {
	return &world{T: t, client: w.client, namespace: w.namespace}
}

func (w *world) testOneNamespace(t *testing.T) {
	w = w.in(t)
	w.wantCaveats(oneNamespace, "pods in namespace kube-system", "leases", "namespaces")
	w.wantRefused(oneNamespace, "explain", "rs", "-A", "replicasets.apps in all namespaces: forbidden for this user")
	elsewhere := newWorld(t, "rbac elsewhere")
	elsewhere.wantRefused(oneNamespace, "plan", "rs/web", "in namespace "+elsewhere.namespace+": forbidden for this user")
}

// wantRefused runs the words up to the last, and wants an error that says it.
func (w *world) wantRefused(user string, words ...string) {
	w.Helper()
	args := slices.DeleteFunc(slices.Clone(words), isMessage)
	r := w.call(env.tool.as(w.kubeconfigFor(user)), false, args...)
	if r.code != 2 || r.stdout != "" {
		w.Errorf("%v: exit status %d, want 2; it printed %q", args, r.code, r.stdout)
	}
	for _, message := range slices.DeleteFunc(words, func(s string) bool { return !isMessage(s) }) {
		if !strings.Contains(r.stderr, message) {
			w.Errorf("%v: the error does not say %q: %s", args, message, r.stderr)
		}
	}
	if lines := strings.Count(r.stderr, "\n"); lines != 1 {
		w.Errorf("%v: the error has %d lines, want 1:\n%s", args, lines, r.stderr)
	}
}

func isMessage(word string) bool { return strings.Contains(word, " ") }

// wantCaveats wants the administrator's plan, and a caveat about each thing
// that this user may not read.
func (w *world) wantCaveats(user string, unread ...string) {
	w.Helper()
	r := w.call(env.tool.as(w.kubeconfigFor(user)), false, "plan", "rs/web", "-o", "json")
	if r.code != 0 || r.stderr != "" {
		w.Fatalf("exit status %d: %s", r.code, r.stderr)
	}
	got, err := parsePlan(r.stdout)
	w.check(err)
	want, err := parsePlan(w.run(false, "plan", "rs/web", "-o", "json"))
	w.check(err)
	answer := want.Answer
	if slices.Contains(unread, "resourcequotas") {
		answer = strings.Replace(strings.TrimSuffix(answer, "."), ", create", " and may create", 1) + "; whether a quota refuses creations is not known."
		total := &want.Summary.Total
		total.Certain.PodsCreated, total.Possible.PodsCreated = 0, total.Certain.PodsCreated
	}
	if got.Answer != answer+partialAnswer(got.Partial, got.Caveats) || got.Summary != want.Summary {
		w.Errorf("the answer is %q, the administrator's %q", got.Answer, want.Answer)
	}
	w.checkCaveats(got.Caveats, unread)
}

func (w *world) checkCaveats(caveats []decision.Caveat, unread []string) {
	w.Helper()
	if len(caveats) != len(unread) {
		w.Errorf("%d caveats, want %d: %v", len(caveats), len(unread), caveats)
	}
	for _, what := range unread {
		if !slices.ContainsFunc(caveats, func(c decision.Caveat) bool {
			return slices.Contains([]string{"NotRead", "VersionNotKnown"}, c.Code) && strings.Contains(c.Message, what) && strings.Contains(c.Message, "forbidden for this user")
		}) {
			w.Errorf("no caveat says that %s could not be read: %v", what, caveats)
		}
	}
}

func (w *world) kubeconfigFor(user string) string {
	w.Helper()
	path, err := env.KubeconfigFor(user)
	w.check(err)
	return path
}
