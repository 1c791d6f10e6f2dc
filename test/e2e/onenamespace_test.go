package e2e

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// local is a user who has the roles of docs/rbac in one namespace, and what
// docs/rbac/one-namespace gives elsewhere.
const local = "local"

// TestRolesInOneNamespace binds each role to a namespace, by the commands that
// docs/rbac.md tells, and asks there.
func TestRolesInOneNamespace(t *testing.T) {
	elsewhere := newWorld(t, t.Name())
	if _, err := env.Kubectl(t.Context(), nil, "create", "namespace", "kruise-system"); err != nil && !strings.Contains(err.Error(), "AlreadyExists") {
		t.Fatal(err)
	}
	elsewhere.kubectlOK("apply", "-f", "../../docs/rbac/one-namespace/elsewhere.yaml")
	for _, namespace := range []string{"kube-system", "kruise-system"} {
		elsewhere.kubectlOK("create", "rolebinding", "kubectl-ctrl-elsewhere", "--role=kubectl-ctrl-elsewhere", "--user="+local, "-n", namespace)
	}
	elsewhere.kubectlOK("create", "clusterrolebinding", "kubectl-ctrl-elsewhere", "--clusterrole=kubectl-ctrl-elsewhere", "--user="+local)
	for name, s := range situations {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, t.Name())
			s.make(w)
			path := filepath.Join("../../docs/rbac", name+".yaml")
			role := readRole(t, path)
			w.kubectlOK("apply", "-f", path)
			w.kubectlOK("create", "rolebinding", "kubectl-ctrl", "--clusterrole="+role.Name, "--user="+local, "-n", w.namespace)
			for _, r := range eachResource(role) {
				if r.instance == "" && r.name != "nodes" {
					w.waitForAccess(local, r, true)
				}
			}
			s.questions = slices.DeleteFunc(slices.Clone(s.questions), func(q []string) bool { return slices.Contains(q, "-A") })
			w.wantNothingForbidden(local, s)
		})
	}
}

// kubectlOK runs the administrator's kubectl as it is told.
func (w *world) kubectlOK(args ...string) {
	w.Helper()
	_, err := env.Kubectl(w.Context(), nil, args...)
	if err != nil {
		w.Fatal(fmt.Errorf("%v: %w", args, err))
	}
}
