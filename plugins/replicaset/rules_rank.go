package replicaset

import (
	"fmt"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/podorder"
)

// rankRules are the steps of the deletion order.
var rankRules = decision.Catalogue{
	step(UnassignedFirst, "A Pod on no node is deleted before one on a node",
		"Decides only when exactly one of the two has a node.", "",
		"on no node", "on a node"),
	step(PendingFirst, "A Pod in phase Pending is deleted before one in Unknown, Unknown before Running",
		"Any other phase counts as Pending.", "", "phase %v", ""),
	step(NotReadyFirst, "A Pod that is not ready is deleted before one that is",
		"The first condition of type Ready decides.", "", "not ready", "ready"),
	step(LowerCostFirst, "The Pod with the lower deletion cost is deleted first",
		"Annotation controller.kubernetes.io/pod-deletion-cost, an integer; absent or invalid counts as 0.",
		"gate PodDeletionCost: on since 1.22", "deletion cost %v", ""),
	step(CoLocatedFirst, "A Pod with more related Pods on its node is deleted first",
		"Related are the active Pods, itself among them, that match the selector of any ReplicaSet with the same controller. A ReplicaSet without a controller has no related Pods; nor has, since 1.24, a ReplicationController.",
		"", "related Pods on its node, itself included: %v", ""),
	step(YoungerReadyFirst, "A Pod that became ready more recently is deleted first",
		"With gate LogarithmicScaleDown (on since 1.22) ages compare in powers of two nanoseconds: 9s, 17s, 34s, 1m9s, 2m17s, 4m35s, 9m10s and so on.",
		"", "ready for %v", ""),
	uidStep(ReadyBucketUID, "Inside one age bucket (log2) of ready times the Pod with the lower UID is deleted first",
		"Two Pods whose ready times differ but fall into one power of two. Nothing after this step is asked."),
	step(RestartedFirst, "A Pod whose containers restarted more often is deleted first",
		"The highest restart count of its containers. Asked only when both became ready in the same second, or neither is ready.",
		"", "restarted %v times", ""),
	step(SidecarRestartedFirst, "A Pod whose sidecars restarted more often is deleted first",
		"The highest restart count of its init containers with restartPolicy Always.",
		"1.32 and later", "sidecar restarted %v times", ""),
	step(YoungerFirst, "A Pod that was created more recently is deleted first",
		"Compared in the same powers of two as ready times.", "", "age %v", ""),
	uidStep(AgeBucketUID, "Inside one age bucket (log2) the Pod with the lower UID is deleted first",
		"Two Pods whose creation times differ but fall into one power of two."),
	{
		ID: TiedForDeletion, Title: "Pods that no criterion tells apart", Source: lessThan,
		Text: "All criteria are equal, and the list that upstream sorts comes in random order, so which of them are deleted is not deterministic. Since 1.34 Pods that the same sync adopts are listed after owned ones. Of more than twelve active Pods the sort may mix both: then it is not known which are deleted. To choose, set a lower controller.kubernetes.io/pod-deletion-cost on the Pod that may go.",
		Keys: []decision.Key{keyExact, decision.KeyK, decision.KeyN},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%d of %d that no criterion tells apart; which %s: a lower deletion cost on one of them decides", fs.Int(decision.KeyK), fs.Int(decision.KeyN), isChance(fs))
		},
	},
	{
		ID: CyclicOrder, Title: "Pods whose order contradicts itself", Source: lessThan,
		Text: "Inside one age bucket, Pods of different seconds compare by UID, but Pods of the same second compare by restarts and then by age. Three Pods can then each come before the next, in a circle. Upstream sorts all the same, over a list in random order. Up to twelve active Pods are sorted by insertion: what comes of every order of the list is known, and whether a Pod is deleted that only some of them put first is not deterministic. Of more Pods, it is not known. To choose, set a lower controller.kubernetes.io/pod-deletion-cost on the Pod that may go.",
		Keys: []decision.Key{keyAfter, keyBefore, keyExact, decision.KeyK, decision.KeyN},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%d of %d whose order contradicts itself%s; which %s: a lower deletion cost on one of them decides", fs.Int(decision.KeyK), fs.Int(decision.KeyN), circle(fs), isChance(fs))
		},
	},
	{
		ID: OwnedFirst, Title: "Of Pods that no criterion tells apart, owned ones are deleted before adopted ones", Versions: "1.34 and later",
		Source: "pkg/controller/controller_utils.go FilterPodsByOwner (v1.37.1)",
		Text:   "The sync lists the Pods that the set owns, then those that have no controller. Up to twelve active Pods are sorted by insertion, which leaves equal ones as they are listed.",
		Keys:   []decision.Key{decision.KeyAdopted, decision.KeyVersus},
		Line: func(fs decision.Facts) string {
			if fs.Str(decision.KeyAdopted) == "true" {
				return fmt.Sprintf("ties with %s, and is adopted: owned Pods are listed first", fs.Str(decision.KeyVersus))
			}
			return fmt.Sprintf("ties with %s, and is owned: adopted Pods are listed last", fs.Str(decision.KeyVersus))
		},
	},
	{
		ID: SiblingUnread, Title: "A ReplicaSet that the input lacks may change the order",
		Source: "pkg/controller/replicaset/replica_set.go getIndirectlyRelatedPods (v1.37.1)",
		Text:   "A Pod refers to a ReplicaSet that is not in the files. If that one has the same controller as this set, its Pods count as related, and other Pods are deleted. Save all ReplicaSets of the namespace as well.",
		Keys:   []decision.Key{keyAbsent, decision.KeyK, decision.KeyN},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%d of %d; which depends on %s, which the input lacks", fs.Int(decision.KeyK), fs.Int(decision.KeyN), fs.Str(keyAbsent))
		},
	},
	{
		ID: SiblingDeletes, Title: "A ReplicaSet of the same Deployment deletes Pods at the same time",
		Source: "pkg/controller/replicaset/replica_set.go getIndirectlyRelatedPods (v1.37.1)",
		Text:   "Two ReplicaSets with the same controller both have Pods to delete, as when a Deployment is scaled down in the middle of a rollout. Each counts the Pods of both as related (CoLocatedFirst), and no longer those that the other one has deleted. The controller syncs them side by side, in either order. To choose, set a lower controller.kubernetes.io/pod-deletion-cost on the Pods that may go.",
		Keys:   []decision.Key{decision.KeyK, decision.KeyN, keySiblings},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%d of %d; which depends on what %s deletes first on their nodes", fs.Int(decision.KeyK), fs.Int(decision.KeyN), fs.Str(keySiblings))
		},
	},
	{
		ID: SameFromEveryList, Title: "A Pod's place contradicts itself, and every order of the list leads to one result", Source: lessThan,
		Text: "The Pod is in a group whose order contradicts itself (CyclicOrder). Up to twelve active Pods are sorted by insertion. From every order that the list may have, this Pod comes out on the same side of the cut.",
		Line: func(decision.Facts) string { return "the same from every order of the list" },
	},
}

// isChance says why nobody can tell.
func isChance(fs decision.Facts) string {
	if fs.Str(keyExact) == "false" {
		return "can't be predicted"
	}
	return "is not deterministic"
}

// step is a rule of the comparator; see podorder.
//
//go:noinline // it is called at many places
func step(id, title, text, versions, mine, theirs string) decision.Rule {
	return podorder.Alike{Less: "longer", More: "less long"}.Step(decision.Rule{ID: id, Title: title, Text: text, Versions: versions, Source: lessThan}, mine, theirs)
}

func uidStep(id, title, text string) decision.Rule {
	return decision.Rule{
		ID: id, Title: title, Text: text, Source: lessThan, Versions: "gate LogarithmicScaleDown: on since 1.22, always since 1.31",
		Keys: []decision.Key{decision.KeyOp, decision.KeyOther, decision.KeyValue, decision.KeyVersus},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("same age bucket as %s; UID %s %s %s", fs.Str(decision.KeyVersus), fs.Str(decision.KeyValue), fs.Str(decision.KeyOp), fs.Str(decision.KeyOther))
		},
	}
}

// circle says what contradicts itself: "a before b by RESTARTS, b tied with c, …".
func circle(fs decision.Facts) string {
	var parts []string
	for _, f := range fs {
		switch {
		case f.Name != string(keyBefore):
		case f.Op == "":
			parts = append(parts, fmt.Sprintf("%v tied with %s", f.Value, f.Of.Str(keyAfter)))
		default:
			parts = append(parts, fmt.Sprintf("%v before %s by %s", f.Value, f.Of.Str(keyAfter), f.Op))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}
