package health

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/events"
)

// claimEvent is one about a volume claim.
func claimEvent(claim, kind, reason, message, last string) *corev1.Event {
	e := event(reason, message, last)
	e.Type, e.InvolvedObject = kind, corev1.ObjectReference{Kind: "PersistentVolumeClaim", Name: claim}
	return e
}

// TestUnboundClaims: of a Pod that waits for volume claims, the newest event of one that
// is not bound tells why.
func TestUnboundClaims(t *testing.T) {
	const volumes = `spec: {containers: [{name: app}], volumes: [{name: a, persistentVolumeClaim: {claimName: old}}, {name: b, persistentVolumeClaim: {claimName: data}}, {name: c, ephemeral: {}}]}`
	const immediate = "0/4 nodes are available: pod has unbound immediate PersistentVolumeClaims."
	failed := claimEvent("data", "Warning", "ProvisioningFailed", `storageclass.storage.k8s.io "fast" not found`, "11:59:00")
	waits := claimEvent("old", "Normal", "WaitForFirstConsumer", "waiting for first consumer to be created before binding", "11:59:50")
	for name, tt := range map[string]struct {
		message     string
		events      []*corev1.Event
		label, next string
		// said begins the message.
		said string
	}{
		"class not found": {immediate, []*corev1.Event{failed}, "PVC not bound (StorageClass fast not found)", "kubectl describe pvc data -n shop",
			`PersistentVolumeClaim data is not bound: ProvisioningFailed: storageclass.storage.k8s.io "fast" not found; ` + immediate},
		"a warning before others": {immediate, []*corev1.Event{waits, failed}, "PVC not bound (StorageClass fast not found)", "kubectl describe pvc data -n shop", "PersistentVolumeClaim data"},
		"the newest": {immediate, []*corev1.Event{failed, claimEvent("data", "Normal", "ExternalProvisioning", "waits for csi", "11:59:30")},
			"PVC not bound (ExternalProvisioning)", "kubectl describe pvc data -n shop", "PersistentVolumeClaim data is not bound: ExternalProvisioning: waits for csi"},
		"first consumer":     {`running PreBind plugin "VolumeBinding": binding volumes: context deadline exceeded`, []*corev1.Event{waits}, "PVC not bound (WaitForFirstConsumer)", "kubectl describe pvc old -n shop", "PersistentVolumeClaim old"},
		"ephemeral":          {immediate, []*corev1.Event{claimEvent("p-c", "Normal", "Provisioning", "m", "11:59:00")}, "PVC not bound (Provisioning)", "kubectl describe pvc p-c -n shop", "PersistentVolumeClaim p-c"},
		"has its volume":     {immediate, []*corev1.Event{failed, claimEvent("data", "Normal", "ProvisioningSucceeded", "m", "11:59:30")}, "Unschedulable (pod has unbound immediate PersistentVolumeClaims)", "kubectl describe pod p -n shop", immediate},
		"of another Pod":     {immediate, []*corev1.Event{claimEvent("other", "Warning", "ProvisioningFailed", "m", "11:59:00")}, "Unschedulable (pod has unbound immediate PersistentVolumeClaims)", "kubectl describe pod p -n shop", immediate},
		"for another reason": {"0/4 nodes are available: 4 Insufficient cpu.", []*corev1.Event{failed, waits}, "Unschedulable (Insufficient cpu)", "kubectl describe pod p -n shop", "0/4 nodes"},
	} {
		status := `status: {conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, message: '` + tt.message + `', lastTransitionTime: '2026-07-01T11:50:00Z'}]}`
		o := Options{Now: now, claimEvent: func(claim string) *corev1.Event { return events.NewestOf(tt.events, "PersistentVolumeClaim")[claim] }}
		c, _ := Pod(pod(t, volumes, status), nil, o)
		if c.Label != tt.label || c.Next != tt.next || len(c.Message) < len(tt.said) || c.Message[:len(tt.said)] != tt.said || c.Reason != "Unschedulable" || !c.Blocked {
			t.Errorf("%s: %q, %q, %q, %s, blocked %v", name, c.Label, c.Message, c.Next, c.Reason, c.Blocked)
		}
	}
}
