package rules

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/inplace"
)

// The rules that answer a reader's first questions about a rollout.
const (
	InPlacePossible   = "InPlacePossible"
	InPlaceImpossible = "InPlaceImpossible"
	UpdatesAtOnce     = "UpdatesAtOnce"
	PartitionStays    = "PartitionStays"

	PartitionTakesNoneBack = "PartitionTakesNoneBack"
)

var reasonRules = decision.Catalogue{
	{
		ID: InPlacePossible, Title: "Pods of a revision can be updated in place", Source: inPlaceFunc,
		Text:     "Between two revisions only images of containers and metadata of the template differ; with gate InPlaceWorkloadVerticalScaling requests and limits of cpu and memory may as well.",
		Question: says("IN PLACE"),
		Keys:     []decision.Key{KeyFrom, KeyNew, KeyRevision, inplace.KeyImages, inplace.KeyMetadata, inplace.KeyResources},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("only %s between revision %s and %s", differ(fs), fs.Str(KeyFrom), target(fs))
		},
	},
	{
		ID: InPlaceImpossible, Title: "Pods of a revision can't be updated in place", Source: inPlaceFunc,
		Text:     "The revisions differ in more than images of containers and metadata of the template. Type InPlaceIfPossible recreates the Pods, InPlaceOnly refuses them.",
		Question: says("NOT IN PLACE"),
		Keys:     []decision.Key{KeyFrom, KeyNew, decision.KeyOp, KeyRevision, inplace.KeyPath},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s (from revision %s to %s)", forbidden(fs), fs.Str(KeyFrom), target(fs))
		},
	},
	{
		ID: UpdatesAtOnce, Title: "How many Pods may be unavailable while updating", Source: diffsFunc,
		Text: "updateMaxUnavailable is maxUnavailable, a percentage of replicas rounded up (down with a surge), and the Pods beyond replicas. Pods that are unavailable already take their part of it.",
		Question: func(fs decision.Facts) string {
			if fs.Int(KeyUnavailable) > 0 || fs.Int(KeyPods) != fs.Int(KeyReplicas) || fs.Str(KeyBudget) != "" {
				return "NO MORE AT ONCE" // how many that leaves is another number from sync to sync
			}
			return fmt.Sprintf("%d AT ONCE", fs.Int(KeyUpdateMaxUnavailable))
		},
		Keys: []decision.Key{KeyBudget, decision.KeyMaxUnavailable, KeyPods, KeyReplicas, KeySurge, KeyUnavailable, KeyUpdateMaxUnavailable},
		Line: func(fs decision.Facts) string {
			rounded := "rounded up"
			if fs.Int(KeySurge) > 0 {
				rounded = "rounded down, because there is a surge"
			}
			text := fmt.Sprintf("updateMaxUnavailable %d = maxUnavailable %s + %s − %s", fs.Int(KeyUpdateMaxUnavailable),
				written(fs, decision.KeyMaxUnavailable, rounded), format.Plural(fs.Int(KeyPods), "Pod"), format.Plural(fs.Int(KeyReplicas), "replica"))
			if n := fs.Int(KeyUnavailable); n > 0 {
				text += fmt.Sprintf("; %d unavailable already", n)
			}
			return text
		},
	},
	{
		ID: PartitionStays, Title: "How many Pods the partition keeps", Source: diffsFunc,
		Text: "A partition of percent is of replicas and rounded up; one of less than 100% updates at least one Pod. Raising it later rolls back no Pod without gate CloneSetPartitionRollback.",
		Question: func(fs decision.Facts) string {
			if fs.Int(KeyStay) == 1 {
				return "1 STAYS"
			}
			return fmt.Sprintf("%d STAY", fs.Int(KeyStay))
		},
		Keys: []decision.Key{KeyPartition, KeyReplicas, KeyStay},
		Line: func(fs decision.Facts) string { return "partition " + written(fs, KeyPartition, roundedPartition(fs)) },
	},
	{
		ID: PartitionTakesNoneBack, Title: "A raised partition rolls back no Pod", Source: diffsFunc,
		Text:     "More Pods are updated than replicas − partition. They are rolled back to the current revision only with gate CloneSetPartitionRollback of the kruise-manager; else give the template its old content.",
		Question: says("NOT ROLLED BACK"),
		Keys:     []decision.Key{KeyUpdated, KeyWanted},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s updated, %d desired by partition: a raised partition rolls back no Pod while gate CloneSetPartitionRollback is off", format.Plural(fs.Int(KeyUpdated), "Pod"), fs.Int(KeyWanted))
		},
	},
}

// written is a number with what it was made from: 40% of 10 = 4 (rounded up).
func written(fs decision.Facts, name decision.Key, rounded string) string {
	text := fs.Str(name + KeyAsWritten)
	if !strings.HasSuffix(text, "%") {
		return fs.Str(name)
	}
	return fmt.Sprintf("%s (%s of %d, %s)", fs.Str(name), text, fs.Int(KeyReplicas), rounded)
}

// roundedPartition says how the percentage came to its number: where rounding up
// would keep all pods, one is updated.
func roundedPartition(fs decision.Facts) string {
	value := intstr.FromString(fs.Str(KeyPartitionAsWritten))
	all := int(fs.Int(KeyReplicas))
	if up, ok := api.PercentUp(value, all); ok && up == all && int(fs.Int(KeyPartition)) < all {
		return "rounded up, but one less than all"
	}
	return "rounded up"
}

// differ lists what differs, as "the image of nginx differs".
func differ(fs decision.Facts) string {
	var parts []string
	if images := fs.Str(KeyImages); images != "" {
		var containers []string
		for i := range strings.SplitSeq(images, ", ") {
			name, _, _ := strings.Cut(i, "=")
			containers = append(containers, name)
		}
		parts = append(parts, "the image of "+format.List(containers))
	}
	for _, paths := range []decision.Key{KeyResources, KeyMetadata} {
		if v := fs.Str(paths); v != "" {
			parts = append(parts, v)
		}
	}
	switch len(parts) {
	case 0:
		return "nothing of the template differs"
	case 1:
		return parts[0] + " differs"
	}
	return strings.Join(parts, " and ") + " differ"
}

func target(fs decision.Facts) string {
	if fs.Str(KeyNew) == "true" {
		return "the new template"
	}
	return fs.Str(KeyRevision)
}
