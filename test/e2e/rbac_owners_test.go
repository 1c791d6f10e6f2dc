package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/orphans"
)

// TestRBACOwners asks about owners as users who may read one namespace, or a
// few kinds of it.
func TestRBACOwners(t *testing.T) {
	w := newWorld(t, t.Name())
	w.check(env.kcm.hold(t.Context(), killed))
	withOrphans(1, []pod{{name: "a", node: bare0, ready: day}, {name: "lost", labels: app("other"), node: bare0, ready: day}},
		pod{name: "orphan", node: bare1, ready: hour})(w)
	w.allow(oneNamespace, append([]string{"persistentvolumeclaims", "controllerrevisions"}, resources...))
	w.allow(podsOnly, []string{"pods"})
	w.allow(podsAndSets, []string{"pods", "replicasets"})
	t.Run("one namespace only", func(t *testing.T) {
		w := w.in(t)
		want := w.orphans()
		w.wantFindings(oneNamespace, want, []string{"orphans"}, "leases")
		w.wantFindings(oneNamespace, want, []string{"orphans", "-A"}, "leases", "may not list pods", "may not list namespaces")
		w.wantLinks(oneNamespace, []string{"owners", "pod/a"}, "pods in namespace kube-system")
		w.wantLinks(oneNamespace, []string{"owners", "rs/web", "--dependents"}, "pods in namespace kube-system")
		w.wantLinks(oneNamespace, []string{"owners", "rs/web", "--cascade", "orphan"}, "configmaps", "secrets")
	})
	t.Run("nothing but pods and replicasets", func(t *testing.T) {
		w := w.in(t)
		w.wantFindings(podsAndSets, w.orphansAs(toolUser, "orphans", "pods"), []string{"orphans", "pods"}, "leases", "replicationcontrollers, daemonsets.apps, statefulsets.apps, jobs.batch")
		w.wantLinks(podsAndSets, []string{"owners", "pod/a"}, "deployments.apps")
		w.wantLinks(podsAndSets, []string{"owners", "pod/orphan"}, "replicationcontrollers, daemonsets.apps, statefulsets.apps, jobs.batch")
	})
	t.Run("nothing but pods", func(t *testing.T) {
		w := w.in(t)
		rep := w.orphansAs(podsOnly, "orphans")
		if len(rep.Findings) != 3 || rep.Groups[orphans.Unverified] != 3 {
			t.Errorf("want three pods of which nothing is known, got %s", rep.Answer)
		}
		w.checkNamed(rep.Caveats, "replicasets.apps", "controllerrevisions.apps, persistentvolumeclaims")
		w.wantLinks(podsOnly, []string{"owners", "pod/a"}, "replicasets.apps web")
	})
	t.Run("no pods", func(t *testing.T) {
		w := w.in(t)
		w.wantRefused(setsOnly, "owners", "pod/a", "pods a in namespace "+w.namespace+": forbidden for this user")
		w.wantRefused(setsOnly, "orphans", "pods in namespace "+w.namespace+": forbidden for this user")
	})
}

// wantFindings wants the administrator's findings, and a caveat about each
// thing that this user may not read, but none about what is not installed.
func (w *world) wantFindings(user string, want *orphans.Report, args []string, unread ...string) {
	w.Helper()
	got := w.orphansAs(user, args...)
	if got.Answer != want.Answer+partialAnswer(got.Partial, got.Caveats) || len(got.Findings) != len(want.Findings) {
		w.Errorf("%s %v: the answer is %q, the administrator's %q", user, args, got.Answer, want.Answer)
	}
	for i, f := range got.Findings {
		if f.Message != want.Findings[i].Message || len(f.Then) != len(want.Findings[i].Then) {
			w.Errorf("%s: %s, for the administrator: %s", f.Object, f.Message, want.Findings[i].Message)
		}
	}
	w.checkNamed(got.Caveats, unread...)
}

func (w *world) orphansAs(user string, args ...string) *orphans.Report {
	w.Helper()
	var d struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		orphans.Report
	}
	w.check(strictly(w.runAs(user, args...), &d))
	return &d.Report
}

// wantLinks wants the administrator's objects and references.
func (w *world) wantLinks(user string, args []string, unread ...string) {
	w.Helper()
	want := w.owners(args[1:]...)
	var got struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		lineage.Graph
	}
	w.check(strictly(w.runAs(user, args...), &got))
	if len(got.Nodes) != len(want.Nodes) || len(got.Edges) != len(want.Edges) {
		w.Errorf("%s %v: %d objects and %d references, for the administrator %d and %d", user, args, len(got.Nodes), len(got.Edges), len(want.Nodes), len(want.Edges))
	}
	w.checkNamed(got.Caveats, unread...)
}

func (w *world) runAs(user string, args ...string) string {
	w.Helper()
	r := w.call(env.tool.as(w.kubeconfigFor(user)), false, append(args, "-o", "json")...)
	if r.code != 0 || r.stderr != "" {
		w.Fatalf("%s %v: exit status %d: %s", user, args, r.code, r.stderr)
	}
	return r.stdout
}

// partialAnswer is how the first line ends where something was not read that
// could change the answer, and that the answer says so.
func partialAnswer(says bool, caveats []decision.Caveat) string {
	switch unread := len(decision.Unread(caveats)) > 0; {
	case says != unread:
		return " (partial or not?)"
	case unread:
		return decision.PartialAnswer
	}
	return ""
}

// checkNamed wants each thing named by a caveat, and no kind that this cluster
// does not have.
func (w *world) checkNamed(caveats []decision.Caveat, unread ...string) {
	w.Helper()
	for _, what := range unread {
		if !slices.ContainsFunc(caveats, func(c decision.Caveat) bool {
			return slices.Contains([]string{"NotRead", "VersionNotKnown"}, c.Code) && strings.Contains(c.Message, what)
		}) {
			w.Errorf("no caveat says that %s could not be read: %v", what, caveats)
		}
	}
	for _, c := range caveats {
		if strings.Contains(c.Message, "kruise") {
			w.Errorf("a caveat is about what is not installed: %s", c.Message)
		}
	}
	if len(unread) == 0 && len(caveats) > 0 {
		w.Errorf("there is nothing that this user may not read, but: %v", caveats)
	}
}
