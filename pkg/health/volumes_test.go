package health

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

func TestAttachments(t *testing.T) {
	attachment := func(name, volume, node string, attached bool) *unstructured.Unstructured {
		u := &unstructured.Unstructured{Object: map[string]any{
			"spec":   map[string]any{"nodeName": node, "source": map[string]any{"persistentVolumeName": volume}},
			"status": map[string]any{"attached": attached},
		}}
		u.SetName(name)
		return u
	}
	b := view.NewOpenBuilder(now)
	for _, a := range []*unstructured.Unstructured{attachment("a", "v", "n1", false), attachment("b", "w", "n2", true), attachment("c", "v", "n3", true)} {
		b.Add(view.VolumeAttachments, a)
	}
	read := attachments(b.View().Reader())
	if name, node := read("v"); name != "c" || node != "n3" {
		t.Errorf("v: %q, %q", name, node)
	}
	if name, node := read("x"); name != "" || node != "" {
		t.Errorf("x: %q, %q", name, node)
	}
}

func TestPreempted(t *testing.T) {
	const conditions = `status: {phase: Running, conditions: [{type: DisruptionTarget, status: 'True', reason: PreemptionByScheduler, message: 'default-scheduler: preempting'}]}`
	p := pod(t, onNode, conditions)
	p.DeletionTimestamp = &metav1.Time{Time: now.Add(10 * time.Second)}
	if c, _ := Pod(p, nil, Options{Now: now}); c.Label != "Terminating (preempted)" || c.Message != "default-scheduler: preempting; waits until the kubelet has removed it" {
		t.Errorf("%s: %s", c.Label, c.Message)
	}
	p.Status.Conditions[0].Reason = "DeletionByTaintManager"
	if c, _ := Pod(p, nil, Options{Now: now}); c.Label != "Terminating" {
		t.Errorf("%s: %s", c.Label, c.Message)
	}
}
