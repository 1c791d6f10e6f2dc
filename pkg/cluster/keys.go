package cluster

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"

// The keys of facts.
const (
	keyAfter    decision.Key = "after"
	keyDeleted  decision.Key = "deleted"
	keyUpdated  decision.Key = "updated"
	keyPod      decision.Key = "pod"
	keyPods     decision.Key = "pods"
	keyClass    decision.Key = "class"
	keyReason   decision.Key = "reason"
	keyRestarts decision.Key = "restarts"
)
