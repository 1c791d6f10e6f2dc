package inplace

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"

// The keys of facts.
const (
	KeyImages    decision.Key = "images"
	KeyMetadata  decision.Key = "metadata"
	KeyPath      decision.Key = "path"
	KeyResized   decision.Key = "resized"
	KeyResources decision.Key = "resources"
	KeyRestarts  decision.Key = "restarts"
	KeyStay      decision.Key = "stay"
	KeyStops     decision.Key = "stops"
)
