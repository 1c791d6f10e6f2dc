package deployment

import (
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
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
		a.holdPlaces(causes, []*corev1.Pod{c.old})
		if causes[0].Blocked != c.want {
			t.Errorf("%s: %+v", name, causes[0])
		}
	}
}

// TestHeldPorts: a host port blocks that an old Pod has on a node which fits the new one, where
// nothing else of what Pods take keeps that off, and no node or place is expected.
func TestHeldPorts(t *testing.T) {
	pod := func(name, node string, port int32) *corev1.Pod {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name)}, Spec: corev1.PodSpec{NodeName: node}}
		p.Spec.Containers = []corev1.Container{{Name: "main", Ports: []corev1.ContainerPort{{HostPort: port}}}}
		return p
	}
	const ports = "0/2 nodes are available: 2 node(s) didn't have free ports for the requested pod ports. preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod."
	b := view.NewBuilder(time.Time{})
	b.Add(view.Nodes, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n2"}, Spec: corev1.NodeSpec{Unschedulable: true}})
	for name, c := range map[string]struct {
		old     *corev1.Pod
		message string
		class   health.Class
		want    bool
	}{
		"it is held":               {old: pod("old", "n1", 80), want: true},
		"another port":             {old: pod("old", "n1", 81)},
		"on a node that fits none": {old: pod("old", "n2", 80)},
		"a node is added":          {old: pod("old", "n1", 80), class: health.ScalingUp},
		"something else is short":  {old: pod("old", "n1", 80), message: strings.Replace(ports, ": 2 node(s)", ": 1 Insufficient cpu, 1 node(s)", 1)},
	} {
		fresh := pod("new", "", 80)
		message, class := ports, health.Unschedulable
		if c.message != "" {
			message = c.message
		}
		if c.class != "" {
			class = c.class
		}
		fresh.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable, Message: message}}
		a := &assessor{
			r: b.View().Reader(), d: &appsv1.Deployment{}, out: &decision.Decision{},
			newRS: &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{UID: "new"}}, pods: map[string][]*corev1.Pod{"new": {fresh}},
		}
		causes := []decision.Cause{{Object: decision.Ref{Kind: "Pod", Name: "new"}, Pod: &decision.PodColumns{}, Class: string(class), Message: message}}
		a.holdPlaces(causes, []*corev1.Pod{c.old})
		if causes[0].Blocked != c.want {
			t.Errorf("%s: %+v", name, causes[0])
		}
	}
}
