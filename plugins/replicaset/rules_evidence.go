package replicaset

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

var evidenceRules = decision.Catalogue{
	{
		ID: NamespaceTerminating, Title: "The namespace is being deleted", Source: manageReplicas,
		Text: "The API server refuses new Pods in it. The controller takes that for success and then waits for Pods that never come, until its expectations expire after five minutes.",
		Keys: []decision.Key{keyNamespace},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("namespace %s is being deleted: no Pod can be created in it", fs.Str(keyNamespace))
		},
	},
	{
		ID: FailedCreateEvent, Title: "Creations were refused", Source: "pkg/controller/controller_utils.go RealPodControl.createPods (v1.37.1)",
		Text: "The newest FailedCreate event of the set. Events are aggregated and rate-limited: a low count or an old one proves nothing.",
		Keys: []decision.Key{keyAge, keyCount, keyMessage},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("FailedCreate ×%d, last %s ago: %s", fs.Int(keyCount), fs.Brief(keyAge), fs.Str(keyMessage))
		},
	},
	{
		ID: ReplicaFailure, Title: "The stored condition says that creation or deletion fails", Source: statusUtils,
		Text: "Reason and message are those of the first failure in the streak and may be out of date: see the newest event.",
		Keys: []decision.Key{keyAge, keyMessage, keyReason},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("ReplicaFailure for %s (%s), first message: %s", fs.Brief(keyAge), fs.Str(keyReason), fs.Str(keyMessage))
		},
	},
	{
		ID: SpecNotObserved, Title: "The controller has not reported on the present spec", Source: statusUtils,
		Text: "observedGeneration is behind: no sync has written status since the last change of the spec.",
		Keys: []decision.Key{keyGeneration, keyObservedGeneration},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("spec is at generation %d, the controller reported on %d", fs.Int(keyGeneration), fs.Int(keyObservedGeneration))
		},
	},
}
