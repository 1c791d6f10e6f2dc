package ownership

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"

// The keys of facts.
const (
	keyAPIVersion decision.Key = "apiVersion"
	keyCondition  decision.Key = "condition"
	keyController decision.Key = "controller"
	keyError      decision.Key = "error"
	keyKind       decision.Key = "kind"
	keyLabel      decision.Key = "label"
	keyManagedBy  decision.Key = "managedBy"
	keyName       decision.Key = "name"
	KeyNamespace  decision.Key = "namespace"
	keyOwner      decision.Key = "owner"
	keyPattern    decision.Key = "pattern"
	keyRivals     decision.Key = "rivals"
	keySelector   decision.Key = "selector"
	keyTerm       decision.Key = "term"
	keyUID        decision.Key = "uid"
)
