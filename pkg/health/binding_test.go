package health

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/events"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestBindingClaims: a Pod for whose volume claim a node was chosen waits for that claim,
// and for no scheduler.
func TestBindingClaims(t *testing.T) {
	const volumes = `spec: {containers: [{name: app}], volumes: [{name: a, persistentVolumeClaim: {claimName: logs}}, {name: b, persistentVolumeClaim: {claimName: data}}]}`
	chosen := map[string]string{selectedNode: "n1"}
	done := map[string]string{selectedNode: "n1", "pv.kubernetes.io/bind-completed": "yes"}
	for name, tt := range map[string]struct {
		annotations map[string]string
		events      []*corev1.Event
		label, said string
	}{
		"provisioner asked":      {chosen, []*corev1.Event{claimEvent("data", "Normal", "ExternalProvisioning", "Waits for csi.", "11:59:00")}, "PVC not bound (ExternalProvisioning)", "PersistentVolumeClaim data is not bound: ExternalProvisioning: Waits for csi; default-scheduler has chosen node n1"},
		"provisioner fails":      {chosen, []*corev1.Event{claimEvent("data", "Warning", "ProvisioningFailed", "no space", "11:59:00")}, "PVC not bound (ProvisioningFailed)", "PersistentVolumeClaim data is not bound: ProvisioningFailed: no space"},
		"event before the node":  {chosen, []*corev1.Event{claimEvent("data", "Normal", "WaitForFirstConsumer", "waiting", "11:59:00")}, "PVC not bound", "PersistentVolumeClaim data is not bound; default-scheduler has chosen node n1"},
		"event of another claim": {chosen, []*corev1.Event{claimEvent("logs", "Normal", "ExternalProvisioning", "m", "11:59:00")}, "PVC not bound", "PersistentVolumeClaim data is not bound; "},
		"no event":               {chosen, nil, "PVC not bound", "PersistentVolumeClaim data is not bound; "},
		"bound":                  {done, nil, "not scheduled", "no scheduler has looked at it: default-scheduler"},
		"no node chosen":         {nil, nil, "not scheduled", "no scheduler has looked at it: default-scheduler"},
	} {
		for _, starting := range []int{1, fewPods + 1} {
			b := view.NewBuilder(now)
			for _, claim := range []string{"logs", "data"} {
				b.Add(view.PersistentVolumeClaims, &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: claim}})
			}
			b.Add(view.PersistentVolumeClaims, &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "data", Annotations: tt.annotations}})
			o := Options{Now: now, selected: selected(b.View().Reader(), "shop", starting), claimEvent: func(claim string) *corev1.Event { return events.NewestOf(tt.events, "PersistentVolumeClaim")[claim] }}
			c, _ := Pod(pod(t, volumes, "status: {}"), nil, o)
			if c.Label != tt.label || !strings.HasPrefix(c.Message, tt.said) {
				t.Errorf("%s: %q, %q", name, c.Label, c.Message)
			}
		}
	}
}
