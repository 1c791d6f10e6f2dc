package replicaset

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

var manageRules = decision.Catalogue{
	{
		ID: CreateMissing, Title: "Missing Pods are created", Source: manageReplicas,
		Text: "There are fewer active Pods than spec.replicas. Creation starts slowly: one Pod, then two, four and so on, each batch only after the one before succeeded (slowStartBatch).",
		Keys: []decision.Key{decision.KeyBatches, keyMissing},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%d missing, in batches of %s", fs.Int(keyMissing), fs.Str(decision.KeyBatches))
		},
	},
	{
		ID: CreateBurst, Title: "At most 500 Pods are created in one sync", Source: "pkg/controller/replicaset/replica_set.go BurstReplicas (v1.37.1)",
		Text: "More Pods are missing than one sync creates. The rest follows when all of these have been seen.",
		Keys: []decision.Key{decision.KeyBatches, keyMissing},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%d missing, 500 at once at most, in batches of %s", fs.Int(keyMissing), fs.Str(decision.KeyBatches))
		},
	},
	{
		ID: CreateUntilRefused, Title: "Creation stops with the batch that is refused", Source: "pkg/controller/replicaset/replica_set.go slowStartBatch (v1.37.1)",
		Text: "The API server refuses a creation. The other calls of the same batch are still made, the batches after it are not; the sync ends with the first error and is retried with backoff.",
		Keys: []decision.Key{decision.KeyAttempted, decision.KeyBatches, keyError, keyMissing},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%d missing, %d tried (batches of %s), then refused: %s", fs.Int(keyMissing), fs.Int(decision.KeyAttempted), fs.Str(decision.KeyBatches), fs.Str(keyError))
		},
	},
	{
		ID: CreateAfterRefusal, Title: "Creation is tried again after a refusal", Source: manageReplicas,
		Text: "ReplicaFailure is stored with reason FailedCreate, so the last attempt was refused, and nothing that can be read explains it: admission by a webhook, a policy or the like. Whether the API server accepts the Pods now is known only by trying. If it refuses the first, no other is tried, and the condition stays as it is.",
		Keys: []decision.Key{decision.KeyBatches, keyMissing, keyRefusedBy},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%d missing, in batches of %s, unless the API server refuses again", fs.Int(keyMissing), fs.Str(decision.KeyBatches))
		},
	},
	{
		ID: CreateIfAdmitted, Title: "Creation is tried, and whether it is accepted is not known", Source: manageReplicas,
		Text: "A quota or LimitRange may refuse the Pods, and what decides it could not be read or is about to change; or the last creation of another ReplicaSet was refused: of one of the same Deployment, or of one in the namespace because a webhook fails. If the API server refuses one, the creations of the same batch are still tried, and no later ones.",
		Keys: []decision.Key{decision.KeyBatches, keyDoubts, keyMissing},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%d missing, in batches of %s, if they are accepted: %s", fs.Int(keyMissing), fs.Str(decision.KeyBatches), fs.Str(keyDoubts))
		},
	},
	{
		ID: DeleteAll, Title: "All Pods are deleted", Source: "pkg/controller/replicaset/replica_set.go getPodsToDelete (v1.37.1)",
		Text: "As many Pods are to be deleted as there are active ones. Upstream does not sort then, and no ranking applies.",
		Keys: []decision.Key{decision.KeyActive},
		Line: func(fs decision.Facts) string {
			if fs.Int(decision.KeyActive) == 1 {
				return "the only active Pod of its controller is deleted"
			}
			return fmt.Sprintf("all %d active Pods are deleted", fs.Int(decision.KeyActive))
		},
	}, {
		ID: DeleteIfAdopted, Title: "A deletion depends on an adoption that another controller may make first", Source: syncReplicaSet,
		Text: "Deletions are counted and ranked among owned and adopted Pods. If another controller adopts an orphan before this one, there are fewer to delete, or other ones. Certain are only the deletions that every order of the controllers' syncs leads to.",
		Keys: []decision.Key{keyOrphans},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("only if this controller adopts %s before another does", fs.Str(keyOrphans))
		},
	},
}
