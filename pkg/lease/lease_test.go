package lease_test

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestLeaseLater: a Lease is judged at the instant at which it was read. Nobody predicts
// that it is not renewed any more, and events would not tell of what is to come.
func TestLeaseLater(t *testing.T) {
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name    string
		renewed time.Duration
		overdue bool
	}{{"held", 2 * time.Second, false}, {"expired", time.Minute, true}} {
		t.Run(c.name, func(t *testing.T) {
			need := lease.ControllerManager.Lease
			b := view.NewOpenBuilder(now)
			b.Add(view.Leases, &coordinationv1.Lease{
				ObjectMeta: metav1.ObjectMeta{Namespace: need.Namespace, Name: need.Name},
				Spec:       coordinationv1.LeaseSpec{HolderIdentity: new("cp-1"), LeaseDurationSeconds: new(int32(15)), RenewTime: new(metav1.NewMicroTime(now.Add(-c.renewed)))},
			})
			set := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "r"}}
			r := b.View().At(now.Add(time.Hour)).Reader()
			found, overdue := lease.Overdue(r, &lease.ControllerManager, false, &lease.Subject{Kind: view.ReplicaSets, Object: set, Makes: view.Pods})
			if overdue != c.overdue || overdue && found.Facts.Str("age") != "1m0s" {
				t.Errorf("overdue %v, %+v", overdue, found)
			}
			if gaps := len(r.Gaps()); (gaps > 0) != c.overdue {
				t.Errorf("gaps: %+v", r.Gaps())
			}
		})
	}
}
