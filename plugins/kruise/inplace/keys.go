package inplace

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"

// The keys of facts.
const (
	KeyImages    decision.Key = "images"
	KeyMetadata  decision.Key = "metadata"
	KeyPath      decision.Key = "path"
	KeyResources decision.Key = "resources"
	KeyRestarts  decision.Key = "restarts"
)
