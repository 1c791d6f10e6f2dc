package deployment

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestHeldVolumes: a volume blocks that an old Pod has, as long as no sync and no other new Pod
// lets that one be deleted.
func TestHeldVolumes(t *testing.T) {
	pod := func(name, node string, ready bool, claims ...string) *corev1.Pod {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name)}, Spec: corev1.PodSpec{NodeName: node}}
		for _, c := range claims {
			p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: c}}})
		}
		if ready {
			p.Status = corev1.PodStatus{Phase: corev1.PodRunning, Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}}
		}
		return p
	}
	ended := pod("old", "n1", false, "data")
	ended.Status.Phase = corev1.PodFailed
	fresh := pod("new", "n2", false, "data")
	for name, c := range map[string]struct {
		fresh   []*corev1.Pod
		old     *corev1.Pod
		acts    bool
		message string
		want    bool
	}{
		"it is held":                  {fresh: []*corev1.Pod{fresh}, old: pod("old", "n1", true, "data"), want: true},
		"another new one is there":    {fresh: []*corev1.Pod{fresh, pod("more", "n1", true, "data")}, old: pod("old", "n1", true, "data"), want: true},
		"another new one may come up": {fresh: []*corev1.Pod{fresh, pod("more", "n1", false, "data")}, old: pod("old", "n1", true, "data")},
		"the sync does something":     {fresh: []*corev1.Pod{fresh}, old: pod("old", "n1", true, "data"), acts: true},
		"on its own node":             {fresh: []*corev1.Pod{fresh}, old: pod("old", "n2", true, "data")},
		"of another claim":            {fresh: []*corev1.Pod{fresh}, old: pod("old", "n1", true, "other")},
		"of some of its claims":       {fresh: []*corev1.Pod{pod("new", "n2", false, "data", "more")}, old: pod("old", "n1", true, "data")},
		"that has ended":              {fresh: []*corev1.Pod{fresh}, old: ended},
		"no claims":                   {fresh: []*corev1.Pod{pod("new", "n2", false)}, old: pod("old", "n1", true)},
		"another cause":               {fresh: []*corev1.Pod{fresh}, old: pod("old", "n1", true, "data"), message: "0/3 nodes are available"},
	} {
		newRS := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{UID: "new"}}
		a := &assessor{d: &appsv1.Deployment{}, newRS: newRS, out: &decision.Decision{}, pods: map[string][]*corev1.Pod{"new": c.fresh}}
		if c.acts {
			a.out.Actions = []decision.Action{{}}
		}
		if c.message == "" {
			c.message = `Multi-Attach error for volume "v" Volume is already used by pod(s) old`
		}
		causes := []decision.Cause{{Object: decision.Ref{Kind: "Pod", Name: "new"}, Pod: &decision.PodColumns{}, Message: c.message}}
		a.holdVolumes(causes, []*corev1.Pod{c.old})
		if causes[0].Blocked != c.want {
			t.Errorf("%s: %+v", name, causes[0])
		}
	}
}
