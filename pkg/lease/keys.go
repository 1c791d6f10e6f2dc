package lease

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"

// The keys of facts.
const (
	keyActed   decision.Key = "acted"
	keyAge     decision.Key = "age"
	keyHolder  decision.Key = "holder"
	keyProcess decision.Key = "process"
	keySeconds decision.Key = "seconds"
)
