package health

import (
	"slices"
	"strings"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestIdleScheduler: a Pod at which the kube-scheduler has not looked for long waits for one to
// be active, where its Lease has run out and it has looked at no other Pod since.
func TestIdleScheduler(t *testing.T) {
	const idle = "not scheduled (no active kube-scheduler)"
	for name, tt := range map[string]struct {
		waits     time.Duration
		scheduler string
		renewed   time.Duration
		// looked is how long ago it has looked at another Pod.
		looked time.Duration
		want   string
		asked  bool
	}{
		"run out":           {5 * time.Minute, "", 6 * time.Minute, time.Hour, idle, true},
		"held":              {5 * time.Minute, "default-scheduler", time.Second, time.Hour, "not scheduled", true},
		"no elections":      {5 * time.Minute, "", 6 * time.Minute, 4 * time.Minute, "not scheduled", true},
		"another scheduler": {5 * time.Minute, "volcano", 6 * time.Minute, time.Hour, "not scheduled", false},
		"not for long":      {time.Minute, "", 6 * time.Minute, time.Hour, "not scheduled", false},
		"there is no Lease": {5 * time.Minute, "", 0, time.Hour, "not scheduled", true},
		"the shortest wait": {2 * time.Minute, "", 3 * time.Minute, time.Hour, idle, true},
	} {
		waits := pod(t, `spec: {containers: [{name: app}]}`, "status: {}")
		waits.Name, waits.CreationTimestamp, waits.Spec.SchedulerName = "waits", metav1.NewTime(now.Add(-tt.waits)), tt.scheduler
		other := pod(t, onNode, "status: {}")
		other.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(now.Add(-tt.looked))}}
		b := view.NewOpenBuilder(now)
		if tt.renewed > 0 {
			b.Add(view.Leases, &coordinationv1.Lease{
				ObjectMeta: metav1.ObjectMeta{Namespace: "kube-system", Name: "kube-scheduler"},
				Spec:       coordinationv1.LeaseSpec{HolderIdentity: new("cp-1"), LeaseDurationSeconds: new(int32(15)), RenewTime: new(metav1.NewMicroTime(now.Add(-tt.renewed)))},
			})
		}
		r := b.View().Reader()
		for _, c := range Pods(r, []*corev1.Pod{waits, other}, Options{Now: now}) {
			if c.Object.Name != "waits" {
				continue
			}
			if c.Label != tt.want {
				t.Errorf("%s: %s", name, c.Label)
			}
			if tt.want == idle && (!c.Blocked || c.Evidence != "lease/kube-scheduler spec.renewTime" || c.Next != "kubectl get pods -n kube-system -l component=kube-scheduler" ||
				!strings.HasPrefix(c.Message, "no active kube-scheduler: lease kube-system/kube-scheduler last renewed ")) {
				t.Errorf("%s: %+v", name, c)
			}
		}
		if asked := slices.ContainsFunc(r.Asked(), func(read view.Read) bool { return read.Name == lease.Scheduler.Lease.Name }); asked != tt.asked {
			t.Errorf("%s: the Lease was asked for: %t", name, asked)
		}
		for _, gap := range r.Gaps() {
			if strings.Contains(gap.Message+gap.Absent, "lease") {
				t.Errorf("%s: %+v", name, gap)
			}
		}
	}
}
