package simulate

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"

// The keys of facts.
const (
	keyAfter     decision.Key = "after"
	keyAlso      decision.Key = "also"
	keyAvailable decision.Key = "available"
	keyChange    decision.Key = "change"
	keyClock     decision.Key = "clock"
	keyCreated   decision.Key = "created"
	keyError     decision.Key = "error"
	keyFastest   decision.Key = "fastest"
	keyGone      decision.Key = "gone"
	keyLag       decision.Key = "lag"
	keyMore      decision.Key = "more"
	keyNamed     decision.Key = "named"
	keyNodes     decision.Key = "nodes"
	keyObject    decision.Key = "object"
	keyOthers    decision.Key = "others"
	keyPod       decision.Key = "pod"
	keyPods      decision.Key = "pods"
	keyReason    decision.Key = "reason"
	keyRound     decision.Key = "round"
	keyRounds    decision.Key = "rounds"
	keySlowest   decision.Key = "slowest"
	keyStopped   decision.Key = "stopped"
	keyStrays    decision.Key = "strays"
	keyStuck     decision.Key = "stuck"
	keySyncs     decision.Key = "syncs"
	keyUpdated   decision.Key = "updated"
	keyVerb      decision.Key = "verb"
)
