package trace

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"

// The keys of facts.
const (
	keyActed    decision.Key = "acted"
	keyAge      decision.Key = "age"
	keyHolder   decision.Key = "holder"
	keyRefusals decision.Key = "refusals"
	keyUntil    decision.Key = "until"
	keyValid    decision.Key = "valid"
)
