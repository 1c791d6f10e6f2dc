package handlers

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"

// The keys of facts.
const (
	KeyAfter         decision.Key = "after"
	keyCounts        decision.Key = "counts"
	keyForgets       decision.Key = "forgets"
	keyGeneration    decision.Key = "generation"
	KeyLeft          decision.Key = "left"
	keyOldGeneration decision.Key = "oldGeneration"
	KeyOwner         decision.Key = "owner"
	KeyWhy           decision.Key = "why"
)
