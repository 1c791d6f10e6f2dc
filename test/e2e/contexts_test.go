package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// testContexts asks as two users of one server at once: what one may not read
// is told for its context, and hides nothing of the other's answer.
func (w *world) testContexts(t *testing.T) {
	w = w.in(t)
	both := env.tool.as(w.contextsOf(t, toolUser, podsOnly))
	r := w.call(both, false, "explain", "rs/web", "--contexts", toolUser+","+podsOnly)
	if r.code != 2 {
		w.Errorf("exit status %d, want 2: %s", r.code, r.stderr)
	}
	state := w.run(false, "explain", "rs/web", "-o", "jsonpath={.state}")
	lines := strings.Split(r.stdout, "\n")
	if len(lines) < 3 || !strings.HasPrefix(lines[1], toolUser+" ") || !strings.Contains(lines[1], " "+state+" ") {
		w.Errorf("want %s of context %s in the second line:\n%s", state, toolUser, r.stdout)
	}
	if !strings.HasPrefix(lines[2], podsOnly+" ") || !strings.Contains(lines[2], "not answered: ") {
		w.Errorf("want context %s not answered in the third line:\n%s", podsOnly, r.stdout)
	}
	want := "error: context " + podsOnly + ": replicasets.apps web in namespace " + w.namespace + ": forbidden for this user"
	if !strings.HasPrefix(r.stderr, want) || strings.Count(r.stderr, "\n") != 1 {
		w.Errorf("the error is %q, want one line that begins %q", r.stderr, want)
	}
	r = w.call(both, false, "explain", "rs/web", "--contexts", toolUser+","+podsOnly, "-o", "jsonpath={.items[*].context} {.failures[*].context}")
	if r.code != 2 || r.stdout != toolUser+" "+podsOnly {
		w.Errorf("exit status %d, got %q", r.code, r.stdout)
	}
}

// contextsOf is a kubeconfig with a context for each user.
func (w *world) contextsOf(t *testing.T, users ...string) string {
	w.Helper()
	all := clientcmdapi.NewConfig()
	for _, user := range users {
		one, err := clientcmd.LoadFromFile(w.kubeconfigFor(user))
		w.check(err)
		context := one.Contexts[one.CurrentContext]
		all.Clusters[context.Cluster], all.AuthInfos[user] = one.Clusters[context.Cluster], one.AuthInfos[user]
		all.Contexts[user] = context
	}
	path := filepath.Join(t.TempDir(), "kubeconfig")
	w.check(clientcmd.WriteToFile(*all, path))
	return path
}
