package lineage

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"

// The keys of facts.
const (
	keyAdopters    decision.Key = "adopters"
	keyController  decision.Key = "controller"
	keyControllers decision.Key = "controllers"
	keyDropped     decision.Key = "dropped"
	keyError       decision.Key = "error"
	keyHas         decision.Key = "has"
	keyInput       decision.Key = "input"
	keyKeeper      decision.Key = "keeper"
	keyKind        decision.Key = "kind"
	keyNamespace   decision.Key = "namespace"
	keyOwner       decision.Key = "owner"
	KeyPolicy      decision.Key = "policy"
	keySays        decision.Key = "says"
)
