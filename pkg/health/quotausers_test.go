package health

import (
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestQuotaUsers: what takes most of an exceeded quota is named, where all Pods of the namespace
// are known and it is not the one whose Pods are refused.
func TestQuotaUsers(t *testing.T) {
	controlled := func(kind, name string) []metav1.OwnerReference {
		return []metav1.OwnerReference{{APIVersion: "batch/v1", Kind: kind, Name: name, UID: types.UID(name), Controller: new(true)}}
	}
	for name, tt := range map[string]struct {
		own, others int
		phase       corev1.PodPhase
		held        bool
		by          string
		want        string
	}{
		"another takes more":   {1, 3, corev1.PodRunning, true, "load-1", " used (cronjob/load 1500m, cronjob/web 500m), each "},
		"another takes all":    {0, 3, corev1.PodRunning, true, "load-1", " used (cronjob/load 1500m), each "},
		"its set is unknown":   {1, 3, corev1.PodRunning, true, "load-2", " used (job/load-2 1500m, cronjob/web 500m), each "},
		"its own take most":    {3, 1, corev1.PodRunning, true, "load-1", " used, each "},
		"ended ones take none": {1, 3, corev1.PodSucceeded, true, "load-1", " used, each "},
		"not all are known":    {1, 3, corev1.PodRunning, false, "load-1", " used, each "},
		"its set is another":   {1, 3, corev1.PodRunning, true, "again-1", " used (job/again-1 1500m, cronjob/web 500m), each "},
	} {
		b := view.NewBuilder(now)
		if tt.held {
			b.Reads(view.Need{Kind: view.Pods, Namespace: "shop", Detail: view.Full}, nil)
		}
		for _, of := range []string{"web", "load"} {
			b.Add(view.Jobs, &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: of + "-1", UID: types.UID(of + "-1"), OwnerReferences: controlled("CronJob", of)}})
		}
		b.Add(view.Jobs, &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "again-1", UID: "made-anew", OwnerReferences: controlled("CronJob", "again")}})
		podOf := func(name, by string) *corev1.Pod {
			p := pod(t, `spec: {containers: [{name: app, resources: {requests: {cpu: 500m}}}]}`, "status: {phase: Running}")
			p.Name, p.UID, p.OwnerReferences = name, types.UID(name), controlled("Job", by)
			return p
		}
		for i := range tt.own {
			b.Add(view.Pods, podOf("web-1-"+string(rune('a'+i)), "web-1"))
		}
		for i := range tt.others {
			p := podOf(tt.by+"-"+string(rune('a'+i)), tt.by)
			p.Status.Phase = tt.phase
			b.Add(view.Pods, p)
		}
		limit := read[corev1.ResourceQuota](t, `{metadata: {name: compute, namespace: shop}, spec: {hard: {requests.cpu: "2"}}, status: {hard: {requests.cpu: "2"}, used: {requests.cpu: "2"}}}`)
		b.Add(view.ResourceQuotas, limit)
		b.Reads(view.Need{Kind: view.ResourceQuotas, Namespace: "shop", Detail: view.Full}, nil)
		b.Reads(view.Need{Kind: view.LimitRanges, Namespace: "shop", Detail: view.Full}, nil)
		r := b.View().Reader()
		set, _ := r.Held(view.Jobs, "shop", "web-1")
		causes := Creations(r, Creator{Kind: view.Jobs, Object: set, Missing: 1, Pod: podOf("", "web-1")}, Options{Now: now})
		if len(causes) != 1 || !strings.Contains(causes[0].Message, tt.want) {
			t.Errorf("%s: %+v", name, causes)
		}
	}
}
