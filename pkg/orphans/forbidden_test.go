package orphans_test

import (
	"errors"
	"slices"
	"strings"
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

// TestMakersLeftOut: of what files hold without the kinds that may have made it, it is not said
// that none selects it; where one of these kinds is there, that is what could.
func TestMakersLeftOut(t *testing.T) {
	bearing := func(label string) map[string]string { return map[string]string{"app": "web", label: "x"} }
	const (
		ofRevisions = "a StatefulSet, DaemonSet or CloneSet"
		revisions   = "daemonsets.apps, statefulsets.apps"
	)
	tests := []struct {
		name               string
		of                 view.Kind
		labels             map[string]string
		beside             view.Kind
		rule, maker, kinds string
	}{
		{"a ReplicaSet's", view.Pods, bearing("pod-template-hash"), view.Deployments, orphans.UnclaimedPod, "a ReplicaSet", "replicasets.apps"},
		{"none of a ReplicaSet", view.Pods, bearing("pod-template-hash"), view.ReplicaSets, orphans.UnclaimedPod, "a ReplicaSet", ""},
		{"of revisions", view.Pods, bearing("controller-revision-hash"), view.ReplicaSets, orphans.UnclaimedPod, ofRevisions, revisions},
		{"none of a DaemonSet", view.Pods, bearing("controller-revision-hash"), view.DaemonSets, orphans.UnclaimedPod, ofRevisions, ""},
		{"a StatefulSet's", view.Pods, bearing("statefulset.kubernetes.io/pod-name"), view.DaemonSets, orphans.UnclaimedPod, "a StatefulSet", "statefulsets.apps"},
		{"a Job's", view.Pods, bearing("batch.kubernetes.io/job-name"), view.ReplicaSets, orphans.UnclaimedPod, "a Job", "jobs.batch"},
		{"a Deployment's", view.ReplicaSets, bearing("pod-template-hash"), view.Pods, orphans.UnclaimedSet, "", "deployments.apps"},
		{"none of a Deployment", view.ReplicaSets, bearing("pod-template-hash"), view.Deployments, orphans.UnclaimedSet, "", ""},
		{"a revision", view.ControllerRevisions, nil, view.Pods, orphans.UnclaimedRevision, "", revisions},
		{"a claim", view.PersistentVolumeClaims, map[string]string{"app": "web"}, view.Pods, orphans.ClaimOfNoSet, "", "statefulsets.apps"},
		{"a claim without Pods", view.PersistentVolumeClaims, map[string]string{"app": "web"}, view.StatefulSets, "", "", ""},
	}
	for _, tt := range tests {
		b := view.NewOpenBuilder(clusterdsl.Now)
		meta := metav1.ObjectMeta{Namespace: clusterdsl.Namespace, Name: "found-by-0", UID: "u", Labels: tt.labels}
		b.Add(tt.of, &metav1.PartialObjectMetadata{ObjectMeta: meta})
		b.Add(tt.beside, &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: clusterdsl.Namespace, Name: "other", UID: "o"}})
		rep, err := orphans.Find(b.View().Reader(), orphans.Query{Namespace: clusterdsl.Namespace, Kinds: []view.Kind{tt.of}, Served: lineage.Held})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(rep.Findings, func(f orphans.Finding) bool { return f.Object.Name == "found-by-0" })
		var f orphans.Finding
		if i >= 0 {
			f = rep.Findings[i]
		}
		leftOut := strings.Contains(rep.Answer, " or of controllers left out of the input")
		if f.Rule != tt.rule || f.Facts.Str("maker") != tt.maker || f.Facts.Str("kinds") != tt.kinds || leftOut != (tt.kinds != "") || strings.Contains(f.Message, "the input holds no "+tt.kinds) != leftOut {
			t.Errorf("%s: %s: %s %+v: %s", tt.name, rep.Answer, f.Rule, f.Facts, f.Message)
		}
	}
}
