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

// narrow is a cluster of which this user may read one namespace only.
func narrow(namespaces error) *view.View {
	b := view.NewBuilder(clusterdsl.Now)
	forbidden := apierrors.NewForbidden(view.Pods.GVR().GroupResource(), "", errors.New("not yours"))
	for _, k := range view.Kinds() {
		b.Reads(view.Need{Kind: k}, forbidden)
		b.Reads(view.Need{Kind: k, Namespace: "shop", Detail: view.Full}, nil)
	}
	b.Reads(view.Need{Kind: view.Namespaces, IfMissing: "x"}, namespaces)
	for _, ns := range []string{"blog", "shop"} {
		b.Add(view.Namespaces, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: ns}})
		b.Add(view.Pods, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "bare", UID: "u"}})
	}
	b.Reads(view.Need{Kind: view.Pods, Namespace: "blog"}, forbidden)
	return b.View()
}

// TestOneNamespaceIsEnough asks about all namespaces of a cluster of which only
// one may be read.
func TestOneNamespaceIsEnough(t *testing.T) {
	forbidden := apierrors.NewForbidden(view.Namespaces.GVR().GroupResource(), "", errors.New("not yours"))
	for _, c := range []struct {
		namespaces error
		looked     []string
	}{
		{forbidden, []string{"shop"}},
		{nil, []string{"blog", "shop"}},
	} {
		q := orphans.Query{Home: "shop", Kinds: []view.Kind{view.Pods}, Served: lineage.Held}
		rep, err := orphans.Find(narrow(c.namespaces).Reader(), q)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(rep.Namespaces, c.looked) || rep.Objects != 1 || rep.Groups[orphans.ByDesign] != 1 {
			t.Errorf("looked at %v and found %d objects", rep.Namespaces, rep.Objects)
		}
		if !slices.ContainsFunc(rep.Caveats, isNotRead) {
			t.Errorf("no caveat says what was forbidden: %v", rep.Caveats)
		}
	}
}

func isNotRead(c decision.Caveat) bool { return c.Code == "NotRead" }
