package cluster

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"

// The keys of facts.
const (
	keyAfter decision.Key = "after"
	keyPods  decision.Key = "pods"
)
