package health

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestClaimUser: a claim that is being deleted stays as long as a Pod with a node uses it.
func TestClaimUser(t *testing.T) {
	uses := func(name, spec string) *corev1.Pod {
		p := pod(t, "spec: {"+spec+"volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]}", "status: {}")
		p.Name = name
		return p
	}
	b := view.NewOpenBuilder(now)
	b.Add(view.Pods, uses("a-waits", ""))
	b.Add(view.Pods, uses("runs", "nodeName: n1, "))
	r := b.View().Reader()
	protected := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "data", Finalizers: []string{view.ClaimProtection}}}
	for claim, want := range map[*corev1.PersistentVolumeClaim]string{
		protected: "runs",
		{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "data"}}:                                              "",
		{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "other", Finalizers: []string{view.ClaimProtection}}}: "",
	} {
		if got := ClaimUser(r, claim, ""); got != want {
			t.Errorf("%s with %v: %q", claim.Name, claim.Finalizers, got)
		}
	}
	if got := ClaimUser(r, protected, "runs"); got != "" {
		t.Errorf("besides runs: %q", got)
	}
	p := uses("waits", "")
	p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: "Unschedulable", Message: `0/1 nodes are available: persistentvolumeclaim "data" is being deleted.`}}
	c := Pods(r, []*corev1.Pod{p}, Options{Now: now})[0]
	if !strings.HasPrefix(c.Message, "volume claim data stays as long as pod/runs uses it; ") || c.Next != "kubectl ctrl explain pod/runs -n shop" {
		t.Errorf("%s; %s", c.Message, c.Next)
	}
}
