package rules

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/podorder"
)

// The steps of the order in which a scale-in deletes pods.
const (
	UnassignedFirst      = "UnassignedFirst"
	PhaseFirst           = "PhaseFirst"
	UnavailableFirst     = "UnavailableFirst"
	NotReadyFirst        = "NotReadyFirst"
	LowerCostFirst       = "LowerCostFirst"
	CrowdedNodeFirst     = "CrowdedNodeFirst"
	CrowdedTopologyFirst = "CrowdedTopologyFirst"
	LatestReadyFirst     = "LatestReadyFirst"
	RestartsFirst        = "RestartsFirst"
	SidecarRestartsFirst = "SidecarRestartsFirst"
	NewestFirst          = "NewestFirst"
	TiedForDeletion      = "TiedForDeletion"
)

var rankRules = decision.Catalogue{
	step(UnassignedFirst, "A Pod on no node is deleted first", "Decides only when exactly one of the two has a node.", "on no node", "on a node"),
	step(PhaseFirst, "A Pod in phase Pending is deleted before one in Unknown, Unknown before Running", "Any other phase counts as Pending.", "phase %v", ""),
	step(UnavailableFirst, "A Pod that is not available is deleted first", "Available is a Pod that is Running, ready for longer than minReadySeconds, in lifecycle state Normal, and in no in-place update.", "not available", "available"),
	step(NotReadyFirst, "A Pod that is not ready is deleted first", "Among Pods that are not available.", "not ready", "ready"),
	step(LowerCostFirst, "The Pod with the lower deletion cost is deleted first", "Annotation controller.kubernetes.io/pod-deletion-cost, an integer; absent or invalid counts as 0.", "deletion cost %v", ""),
	step(CrowdedNodeFirst, "A Pod with more of its group on the node is deleted first", "Of the group's Pods on one node the last in the order ranks 0, the one before it 1, and so on. Only Pods of the group that is chosen from count: those of older revisions, or the updated ones.", "rank %v on its node", ""),
	step(CrowdedTopologyFirst, "A Pod of a fuller topology is deleted first", "With topologySpreadConstraints in the template, a Pod ranks by its place among the group's Pods of its topology, summed over the constraints and weighted by how many topologies there are. Only the topology keys are looked at, not maxSkew or whenUnsatisfiable.", "spread rank %v", ""),
	step(LatestReadyFirst, "A Pod that became ready later is deleted first", "Compared to the second, without the buckets of a ReplicaSet.", "ready for %v", ""),
	step(RestartsFirst, "A Pod whose containers restarted more often is deleted first", "The highest restart count of its containers.", "restarted %v times", ""),
	step(NewestFirst, "A Pod that was created later is deleted first", "Compared to the second.", "age %v", ""),
	{
		ID: TiedForDeletion, Title: "Pods of a CloneSet that nothing tells apart", Source: lessFunc,
		Text: "All steps find them equal. Upstream's sort is not stable and its input comes in random order, so which of them are deleted is not deterministic. To choose, name the Pod in scaleStrategy.podsToDelete, or set a lower controller.kubernetes.io/pod-deletion-cost.",
		Keys: []decision.Key{decision.KeyK, KeyLoose, decision.KeyN},
		Line: func(fs decision.Facts) string {
			if v := fs.Str(decision.KeyVersus); v != "" {
				return "nothing tells it from " + v
			}
			among := fs.Str(KeyAmong)
			if among != "" {
				among = " " + among
			}
			return fmt.Sprintf("%s%d of %d%s that nothing tells apart; which is not deterministic", atMost(fs), fs.Int(decision.KeyK), fs.Int(decision.KeyN), among)
		},
	},
}

// atMost begins the number of a choice that chance may also leave unfilled.
func atMost(fs decision.Facts) string {
	if fs.Str(KeyLoose) == "true" {
		return "at most "
	}
	return ""
}

// step is a rule of the order; see podorder. Values that print alike are of two ages, or ranks.
//
//go:noinline // it is called at many places
func step(id, title, text, mine, theirs string) decision.Rule {
	return podorder.Alike{Less: "more", More: "less"}.Step(decision.Rule{ID: id, Title: title, Text: text, Source: lessFunc}, mine, theirs)
}
