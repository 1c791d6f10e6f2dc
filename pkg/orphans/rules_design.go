package orphans

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// designRules are those of objects that need no controller.
var designRules = decision.Catalogue{
	{
		ID: MirrorPod, Title: "A static Pod's mirror", Source: "pkg/kubelet/pod/mirror_client.go CreateMirrorPod (v1.37.1)",
		Text: "The kubelet runs the Pod from a file on its node and shows it in the API. It owns the Pod; deleting the mirror changes nothing on the node.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("the mirror of a static Pod on %s", fs.Str(keyNode))
		},
	},
	{
		ID: BarePod, Title: "A Pod on its own", Source: "pkg/controller/controller_ref_manager.go BaseControllerRefManager.ClaimObject (v1.37.1)",
		Text: "The Pod has no ownerReferences and no selector matches it or nearly does. Nothing will adopt it, and nothing replaces it when it ends.",
		Line: func(decision.Facts) string { return "a Pod on its own: nothing selects it, and nothing replaces it" },
	},
	{
		ID: NodeOwned, Title: "A Pod that belongs to a node", Source: "pkg/kubelet/pod/mirror_client.go CreateMirrorPod (v1.37.1)",
		Text: "The Pod's controller is a Node: it is deleted with it.",
		Line: func(fs decision.Facts) string { return "belongs to " + fs.Str(keyOwner) },
	},
	{
		ID: OperatorOwned, Title: "An object that an operator's own kind controls", Source: "this tool",
		Text: "The controller is of a kind that this tool does not model. What it claims and releases is its own affair.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("controlled by %s (%s)", fs.Str(keyOwner), fs.Str(keyAPIVersion))
		},
	},
	{
		ID: StandaloneSet, Title: "A ReplicaSet on its own", Source: "pkg/controller/deployment/deployment_controller.go getReplicaSetsForDeployment (v1.37.1)",
		Text: "The ReplicaSet has no ownerReferences, no Deployment selects it, and nothing says that one made it.",
		Line: func(decision.Facts) string { return "a ReplicaSet on its own: no Deployment selects it" },
	},
	{
		ID: GoesWithOwner, Title: "Deleted with the owner, which is being deleted in the foreground",
		Source: "pkg/controller/garbagecollector/garbagecollector.go attemptToDeleteItem (v1.37.1)",
		Text:   "The controller waits for its dependents before it is deleted. The garbage collector deletes them, unless another owner keeps them.",
		Line:   func(fs decision.Facts) string { return "is deleted with " + fs.Str(keyOwner) },
	},
}
