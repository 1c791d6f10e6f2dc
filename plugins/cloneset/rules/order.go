package rules

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// The rules of the order in which Pods are updated.
const (
	UpdatePreparing = "UpdatePreparing"
	UpdateScattered = "UpdateScattered"
	UpdatePriority  = "UpdatePriority"
	UpdateOrder     = "UpdateOrder"
	UpdateTied      = "UpdateTied"
)

const sortIndexes = "pkg/controller/cloneset/sync/cloneset_update.go SortUpdateIndexes (Kruise v1.9.1)"

// orderRules are those steps, the one that decides first at the top.
var orderRules = decision.Catalogue{
	inOrder(UpdatePreparing, "A Pod in PreparingUpdate is updated before the others", "The last step of the order: whose update has begun goes on first.", sortIndexes),
	inOrder(UpdateScattered, "Pods that a scatterStrategy names are spread over the rollout", "Pods that match a term are put among those that do not, in the ratio of all Pods of the CloneSet; the last that matches comes last. The most frequent term is first. Within each sort the order before stays.", "pkg/util/updatesort/scatter_sort.go (Kruise v1.9.1)"),
	inOrder(UpdatePriority, "Pods are updated by priorityStrategy", "By weightPriority the sum of the weights of all selectors that match, the highest first. By orderPriority the first key that the Pod has, in the order of the keys, and of one key the number at the end of its value, the highest first; Pods with none of the keys come before all. Up to 1.8 Pods of one priority come in any order.", "pkg/util/updatesort/priority_sort.go (Kruise v1.9.1)"),
	inOrder(UpdateOrder, "Pods are updated in the order in which a ReplicaSet deletes", "The first step of the order: on no node first, then by phase (Pending, Unknown, Running), not ready first, ready for a shorter time first, more restarts first, created later first.", sortIndexes+"; k8s.io/kubernetes/pkg/controller/controller_utils.go ActivePods.Less"),
	{
		ID: UpdateTied, Title: "Nothing tells two Pods apart in the order of the update", Source: sortIndexes,
		Text: "The sort is not stable, and its input comes in any order: which of them is updated first is not deterministic.",
		Keys: []decision.Key{decision.KeyVersus},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("nothing tells it from %s: which is first is not deterministic", fs.Str(decision.KeyVersus))
		},
	},
}

func inOrder(id, title, text, source string) decision.Rule {
	return decision.Rule{
		ID: id, Title: title, Text: text, Source: source, Keys: []decision.Key{KeyBy, decision.KeyOther, decision.KeyValue, decision.KeyVersus},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s: %s; %s: %s", fs.Str(KeyBy), fs.Str(decision.KeyValue), fs.Str(decision.KeyVersus), fs.Str(decision.KeyOther))
		},
	}
}
