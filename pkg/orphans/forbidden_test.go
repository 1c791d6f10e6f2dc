package orphans_test

import (
	"errors"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/orphans"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// TestForbiddenClaimers: a bare pod is not said to be nobody's by a user who
// may not see who might want it. Kinds that the server does not serve, of which
// RBAC says the same, are left out.
func TestForbiddenClaimers(t *testing.T) {
	b := view.NewBuilder(clusterdsl.Now)
	for _, k := range view.Kinds() {
		b.Reads(view.Need{Kind: k, Detail: view.Full}, apierrors.NewForbidden(k.GVR().GroupResource(), "", errors.New("not yours")))
		if k.Kind == view.Pods.Kind {
			b.Reads(view.Need{Kind: k, Namespace: clusterdsl.Namespace, Detail: view.Full}, nil)
			continue
		}
		b.Reads(view.Need{Kind: k, Namespace: clusterdsl.Namespace, Detail: view.Full}, apierrors.NewForbidden(k.GVR().GroupResource(), "", errors.New("not yours")))
	}
	b.Add(view.Pods, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: clusterdsl.Namespace, Name: "bare", UID: "u"}})
	rep, err := orphans.Find(b.View().Reader(), orphans.Query{
		Namespace: clusterdsl.Namespace, Kinds: []view.Kind{view.Pods}, Served: lineage.Held,
		Installed: func(view.Kind) bool { return false },
	})
	if err != nil {
		t.Fatal(err)
	}
	const kinds = "replicasets.apps, replicationcontrollers, daemonsets.apps, statefulsets.apps, jobs.batch"
	if rep.Findings[0].Rule != orphans.ClaimersNotRead || rep.Findings[0].Facts.Str("kinds") != kinds {
		t.Errorf("%s: %+v", rep.Answer, rep.Findings[0])
	}
	want := decision.Caveat{Code: "NotRead", Message: "this user may not list " + kinds + " in namespace shop: whether they would adopt or release is not known", Partial: true}
	if !slices.Contains(rep.Caveats, want) {
		t.Errorf("want the caveat %+v, got %+v", want, rep.Caveats)
	}
}
