package health

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// selectedNode is on a volume claim for which the scheduler has chosen a node, so that the
// provisioner makes a volume there (k8s.io/component-helpers/storage/volume/pv_helpers.go
// AnnSelectedNode, v0.37.1).
const selectedNode = "volume.kubernetes.io/selected-node"

// consumerAwaited are the reasons of events of a claim from before a node was chosen for it
// (pkg/controller/volume/events/event.go, v1.37.1).
var consumerAwaited = map[string]bool{"WaitForFirstConsumer": true, "WaitForPodScheduled": true}

// provisioned is the newest event of a claim since a node was chosen for it, nil where none
// was read.
func (l look) provisioned(claim string) *corev1.Event {
	if l.claimEvent == nil {
		return nil
	}
	e := l.claimEvent(claim)
	if e == nil || consumerAwaited[e.Reason] || bound[e.Reason] {
		return nil
	}
	return e
}

// selected reads which node was chosen for a volume claim that is not bound, empty for none.
// The claims of many Pods are one read.
func selected(r *view.Reader, namespace string, starting int) func(claim string) string {
	need := view.Need{Kind: view.PersistentVolumeClaims, Namespace: namespace, IfMissing: "whether the scheduler waits for volume claims is not known", Explains: true}
	return func(name string) string {
		if starting > fewPods {
			r.Objects(need)
		}
		one := need
		one.Name = name
		claim, err := r.Object(one)
		if err != nil || claim == nil || view.ClaimBound(claim) {
			return ""
		}
		return claim.GetAnnotations()[selectedNode]
	}
}
