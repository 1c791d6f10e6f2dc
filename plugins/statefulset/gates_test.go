package statefulset_test

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/statefulset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// gated is what a sync of a release with gates comes to.
func gated(t *testing.T, text, version, gates string) *statefulset.Result {
	t.Helper()
	v, err := clusterdsl.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	r, err := statefulset.Sync(v.Reader(), emulating(t, version, gates), targetOf("web"), statefulset.Given{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestGatesOff: what a gate switches off, in the last releases that let it.
func TestGatesOff(t *testing.T) {
	const set, revision = "sts web selector=app=web replicas=1 image=web:1 current=web-a update=web-a counts=1/1/1/1/1 ", "\nsrev web-a old of=sts/web image=web:1\n"
	for _, version := range []string{"1.29", "1.31"} {
		for gates, labelled := range map[string]bool{"": true, "PodIndexLabel=false": false} {
			var labels map[string]string
			for _, w := range gated(t, set+revision, version, gates).Writes {
				if p, ok := w.Object.(*corev1.Pod); ok && w.Kind.GroupKind() == view.Pods.GroupKind() {
					labels = p.Labels
				}
			}
			if got, ok := labels[appsv1.PodIndexLabel]; ok != labelled || labelled && got != "0" {
				t.Errorf("%s %s: the labels are %v", version, gates, labels)
			}
		}
	}
	const ready = "ord web-0 of=sts/web rev=web-a ready=1h claims=data\npvc data-web-0\n"
	for gates, modifies := range map[string]int{"": 2, "StatefulSetAutoDeletePVC=false": 0} {
		if d := gated(t, set+"claims=data retain=Delete/Retain"+revision+ready, "1.31", gates).Decision; len(d.Actions) != modifies {
			t.Errorf("%s: %d actions, want %d", gates, len(d.Actions), modifies)
		}
	}
	for gates, creates := range map[string]int{"": 1, "StatefulSetStartOrdinal=false": 0} {
		if d := gated(t, set+"start=3"+revision+"ord web-0 of=sts/web rev=web-a ready=1h\n", "1.30", gates).Decision; d.Summary.Create != creates {
			t.Errorf("%s: %d Pods are created, want %d", gates, d.Summary.Create, creates)
		}
	}
}

// TestReadySinceNoTime: a Pod that is ready, and does not say since when, is available without
// minReadySeconds, and with them never; the next look is after all of them.
func TestReadySinceNoTime(t *testing.T) {
	for words, c := range map[string]struct {
		available int32
		after     time.Duration
	}{"": {1, 0}, " minReady=60": {0, time.Minute}} {
		v, err := clusterdsl.Parse("sts web selector=app=web replicas=1 image=web:1 current=web-a update=web-a counts=0/0/0/0/0" + words + "\nsrev web-a of=sts/web image=web:1\nord web-0 of=sts/web rev=web-a ready=1h\n")
		if err != nil {
			t.Fatal(err)
		}
		for _, obj := range v.All(view.Pods) {
			obj.(*corev1.Pod).Status.Conditions[0].LastTransitionTime = metav1.Time{}
		}
		r, err := statefulset.Sync(v.Reader(), emulating(t, "1.37", ""), targetOf("web"), statefulset.Given{})
		if err != nil {
			t.Fatal(err)
		}
		set, written := status(r)
		if !written || set.Status.AvailableReplicas != c.available || r.Decision.After != c.after {
			t.Errorf("%q: %d available, the next look is after %s", words, set.Status.AvailableReplicas, r.Decision.After)
		}
	}
}
