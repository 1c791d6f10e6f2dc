package ownership

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

func TestNoteOverlap(t *testing.T) {
	of := func(kind, name string, uid types.UID) *corev1.Pod {
		return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{OwnerReferences: []metav1.OwnerReference{{Kind: kind, Name: name, UID: uid, Controller: new(true)}}}}
	}
	own, before := of("ReplicaSet", "web", "own"), of("ReplicaSet", "web", "before")
	green, blue, job := of("ReplicaSet", "green", "green"), of("ReplicaSet", "blue", "blue"), of("Job", "web", "job")
	for name, c := range map[string]struct {
		selected []*corev1.Pod
		want     string
	}{
		"its own, an orphan and one of its name before": {selected: []*corev1.Pod{own, before, {}}},
		"one":         {[]*corev1.Pod{own, green}, "overlapping selectors: 1 Pod of replicaset/green matches this one's as well, and may be adopted if it loses its ownerReference"},
		"two of one":  {[]*corev1.Pod{green, green}, "overlapping selectors: 2 Pods of replicaset/green match this one's as well, and may be adopted if they lose their ownerReference"},
		"of two":      {[]*corev1.Pod{green, own, blue}, "overlapping selectors: 2 Pods of replicaset/blue, replicaset/green match this one's as well, and may be adopted if they lose their ownerReference"},
		"of its name": {[]*corev1.Pod{job}, "overlapping selectors: 1 Pod of job/web matches this one's as well, and may be adopted if it loses its ownerReference"},
	} {
		d := &decision.Decision{Target: decision.Ref{Kind: "ReplicaSet", Name: "web", UID: "own"}}
		NoteOverlap(d, "Pod", c.selected)
		got := ""
		for _, c := range d.Caveats {
			got += c.Message
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
