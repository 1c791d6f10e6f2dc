package lineage

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// nextRules are what becomes of objects without a controller.
var nextRules = decision.Catalogue{
	{
		ID: AdoptedNext, Title: "A controller will adopt the object", Source: "pkg/controller/controller_ref_manager.go BaseControllerRefManager.ClaimObject (v1.37.1)",
		Text: "The object has no controller, or would have none, and exactly one controller's selector matches it.",
		Line: func(fs decision.Facts) string { return fs.Str(keyController) + " adopts it" },
	},
	{
		ID: AdoptedByOneOf, Title: "One of several controllers will adopt the object", Source: "pkg/controller/controller_ref_manager.go BaseControllerRefManager.ClaimObject (v1.37.1)",
		Text: "The object has no controller, or would have none, and the selectors of several match it: the first that syncs adopts it.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s adopts it, whichever syncs first", fs.Str(keyControllers))
		},
	},
	{
		ID: OrphanedFree, Title: "No controller adopts what a deletion orphans", Source: "pkg/controller/garbagecollector/garbagecollector.go orphanDependents (v1.37.1)",
		Text: "The reference to the deleted owner is taken out of the object. No other controller selects it: it stays until somebody deletes it.",
		Says: "stays, and no controller adopts it",
	},
	{
		ID: OrphanedNext, Title: "An owner that is being deleted orphans the object", Source: orphaning,
		Text: "An owner has a deletion timestamp and the finalizer orphan. The garbage collector takes the reference to it out of the object, which stays. A controller whose selector matches it adopts it then, which may be one that the controller of the owner makes in its place.",
		Keys: []decision.Key{keyOwner},
		Line: func(fs decision.Facts) string {
			text := fmt.Sprintf("the garbage collector takes out the reference to %s, which orphans it", fs.Str(keyOwner))
			if remakes := Remakes(fs); remakes != "" {
				return text + "; then " + remakes
			}
			if by := fs.Str(keyController) + fs.Str(keyControllers); by != "" {
				text += "; then adopted by " + by
			}
			return text
		},
	},
	{
		ID: OrphanedRemade, Title: "What is made in the place of the deleted owner may adopt what it orphans", Source: "pkg/controller/deployment/sync.go getNewReplicaSet (v1.37.1)",
		Text: "No other controller selects the object, but the controller of the deleted owner stays, and may make another owner. A Deployment whose newest ReplicaSet is deleted creates one of the same name and selector at once, which adopts the Pods. It makes none in the place of an older one.",
		Keys: []decision.Key{keyController, keyKind},
		Line: func(fs decision.Facts) string { return "stays; " + Remakes(fs) },
	},
}
