package contract

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/docs/examples/pvcprotection"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// TestClaims: a controller that says what its objects claim adopts for all who ask about
// orphans, and besides those that were known before.
func TestClaims(t *testing.T) {
	toy := pvcprotection.Controller()
	toy.Claims = []ownership.Claims{{Claimed: view.Pods, By: view.PersistentVolumeClaims, Read: func(obj metav1.Object) (*ownership.Controller, bool) {
		claim, ok := obj.(*corev1.PersistentVolumeClaim)
		if !ok {
			return nil, false
		}
		return ownership.NewController(claim.Spec.Selector, nil)
	}}}
	all := controller.NewRegistry(append(plugins.All(), toy)...)
	server := serve(t, "testdata/claims.yaml")
	for name, source := range map[string][]string{"files": {"--from", "testdata/claims.yaml"}, "server": {"--kubeconfig", server, "-n", "shop"}} {
		for _, q := range []question{
			{"orphans", 0, "persistentvolumeclaim/stash"},
			{"orphans -o json", 0, `"group": "contested"`},
			{"explain rs/web", 0, "no controller, labels match; persistentvolumeclaim/stash"},
			{"owners pod/stray", 0, "persistentvolumeclaim/stash"},
			{"explain pod/stray", 0, "persistentvolumeclaim/stash"},
		} {
			t.Run(name+"/"+q.args, func(t *testing.T) {
				check(t, q, runOf(t, all, append(strings.Fields(q.args), source...)))
			})
		}
	}
}
