package orphans

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// designRules are those of objects that need no controller.
var designRules = decision.Catalogue{
	{
		ID: MirrorPod, Title: "A static pod's mirror", Source: "pkg/kubelet/pod/mirror_client.go CreateMirrorPod (v1.37.1)",
		Text: "The kubelet runs the pod from a file on its node and shows it in the API. It owns the pod; deleting the mirror changes nothing on the node.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("the mirror of a static pod on %s", fs.Str("node"))
		},
	},
	{
		ID: BarePod, Title: "A pod on its own", Source: "pkg/controller/controller_ref_manager.go BaseControllerRefManager.ClaimObject (v1.37.1)",
		Text: "The pod refers to nobody and no selector matches it or nearly does. Nothing will adopt it, and nothing replaces it when it ends.",
		Line: func(decision.Facts) string { return "a pod on its own: nothing selects it, and nothing replaces it" },
	},
	{
		ID: NodeOwned, Title: "A pod that belongs to a node", Source: "pkg/kubelet/pod/mirror_client.go CreateMirrorPod (v1.37.1)",
		Text: "The pod's controller is a Node: it lives and goes with it.",
		Line: func(fs decision.Facts) string { return "belongs to " + fs.Str("owner") },
	},
	{
		ID: OperatorOwned, Title: "An object that an operator's own kind controls", Source: "this tool",
		Text: "The controller is of a kind that this tool does not model. What it claims and releases is its own affair.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("controlled by %s (%s)", fs.Str("owner"), fs.Str("apiVersion"))
		},
	},
	{
		ID: StandaloneSet, Title: "A ReplicaSet on its own", Source: "pkg/controller/deployment/deployment_controller.go getReplicaSetsForDeployment (v1.37.1)",
		Text: "The ReplicaSet refers to nobody, no Deployment selects it, and nothing says that one made it.",
		Line: func(decision.Facts) string { return "a ReplicaSet on its own: no Deployment selects it" },
	},
	{
		ID: GoesWithOwner, Title: "An object whose owner is being deleted in the foreground",
		Source: "pkg/controller/garbagecollector/garbagecollector.go attemptToDeleteItem (v1.37.1)",
		Text:   "The controller waits for its dependents before it goes. The garbage collector deletes them, unless another owner keeps them.",
		Line:   func(fs decision.Facts) string { return "goes with " + fs.Str("owner") },
	},
}
