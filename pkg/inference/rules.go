package inference

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// The rules of what may be outstanding.
const (
	TargetTerminating     = "TargetTerminating"
	LeaseNotHeld          = "LeaseNotHeld"
	SeenInStatus          = "SeenInStatus"
	CountedInStatus       = "CountedInStatus"
	TriedSince            = "TriedSince"
	ActedSince            = "ActedSince"
	RetriedSince          = "RetriedSince"
	WritesPossiblyPending = "WritesPossiblyPending"
	CreationsPossiblyLost = "CreationsPossiblyLost"
	WritesPossiblyHidden  = "WritesPossiblyHidden"
	EmptiedByLeader       = "EmptiedByLeader"
	ExpiredUnseen         = "ExpiredUnseen"
	OnlyRefused           = "OnlyRefused"
	NothingWritten        = "NothingWritten"
	NothingKept           = "NothingKept"
	CachesPossiblyBehind  = "CachesPossiblyBehind"

	ThenProceeds    = "ThenProceeds"
	ThenWaits       = "ThenWaits"
	ThenBlocked     = "ThenBlocked"
	ThenDropped     = "ThenDropped"
	ThenRetries     = "ThenRetries"
	ThenStartsEmpty = "ThenStartsEmpty"
	ThenNothing     = "ThenNothing"
)

const (
	ownWrites = "pkg/controller/util/consistency; pkg/controller/statefulset/stateful_set.go sync (v1.37.1)"
	counts    = "pkg/controller/controller_utils.go ControllerExpectations.SatisfiedExpectations (v1.37.1)"
	manage    = "pkg/controller/replicaset/replica_set.go manageReplicas (v1.37.1)"
	syncSet   = "pkg/controller/replicaset/replica_set.go syncReplicaSet (v1.37.1)"
	kruise    = "pkg/controller/cloneset/cloneset_controller.go doReconcile (Kruise v1.9.1)"
	elect     = "k8s.io/client-go/tools/leaderelection/leaderelection.go (v0.37.1)"
	tool      = "this tool"
)

// Rules is the catalogue of this package.
var Rules = slices.Concat(verdictRules, thenRules, evidenceRules, limitRules, settleRules)

var verdictRules = decision.Catalogue{
	{
		ID: SeenInStatus, Title: "Status counts every write: nothing is outstanding", Source: syncSet,
		Text: "The controller wrote a status after its last creation or deletion that counts exactly the Pods that there are. A watch delivers in order, and a sync that creates or deletes counts before it does; so a later sync wrote this, from a cache that held all of it. A CloneSet writes no status at all while something is outstanding.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("its status counts every Pod, and was written at %s, after its last write", fs.Str(keyAt))
		},
	},
	{
		ID: CountedInStatus, Title: "Status counts the Pods that were created: none is outstanding", Source: kruise,
		Text: "When status was written is not known. Without a surge, a sync creates while Pods are missing, and the status that it writes lacks them. This one, of the present generation, counts all Pods that there are and that are desired, so a later sync wrote it; while something is outstanding, none writes any. The last creation was more than five minutes ago.",
		Keys: []decision.Key{keyLast},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("its status counts every Pod, and it created the last one %s ago", fs.Str(keyLast))
		},
	},
	{
		ID: NothingWritten, Title: "Nothing was written that could be outstanding", Source: counts,
		Text: "No Pod was created or deleted in the time that a record can hold, and events, all of which were read, tell of none.",
		Says: "it wrote nothing in the last 5m that it could still wait for",
	},
	{
		ID: NothingKept, Title: "A controller that counts no writes", Source: ownWrites,
		Text: "It has no expectations. Each sync goes by what its caches hold then. From 1.36 on, a gate makes it wait until they hold its own writes.",
		Says: "its controller keeps no memory of its writes in this release",
	},
	{
		ID: CachesPossiblyBehind, Title: "The caches may not hold the last writes yet", Source: ownWrites,
		Text: "The controller remembers the resource versions of what it wrote. Its caches are in its own memory: whether they have read as far is not known.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("its caches may not hold %s yet, made %s ago; no timeout", outstanding(fs), span(fs.Str(keyOldest), fs.Str(keyNewest)))
		},
	},
	{
		ID: EmptiedByLeader, Title: "A new leader remembers nothing of what the one before wrote", Source: elect,
		Text: "Expectations are in the memory of the process that made them. The Lease was acquired after the last write, by a process that started with none and with caches that it had just filled.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("its %s took over at %s, after the last write, with an empty memory", fs.Str(keyProcess), fs.Str(keyAcquired))
		},
	},
	{
		ID: OnlyRefused, Title: "Refused creations are taken back at once", Source: manage,
		Text: "The record of a creation that the API server refuses, and of those that are not tried after it, is lowered within the same sync. Nothing else was written.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("its creations are refused, the last %s ago, and a refusal is taken back at once", fs.Str(keyLast))
		},
	},
	{
		ID: RetriedSince, Title: "A later attempt shows that everything before it was seen", Source: manage,
		Text: "There were more refusals since the last creation than the sync that made it can have met: its batches double, so the one that fails is at most one larger than all that was created before. So another sync has tried since, and a sync tries nothing while something is outstanding.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%d refusals came after its last %s, more than one sync meets: it has tried again since, so it had seen them", fs.Int(keyRefusals), format.Plural(fs.Int(decision.KeyCreations), "creation"))
		},
	},
	{
		ID: TriedSince, Title: "A later attempt shows that the caches held everything before it", Source: ownWrites,
		Text: "With podManagementPolicy OrderedReady a sync ends with the Pod that it creates. A creation that was refused later is of another sync, and no sync comes so far before the caches hold what was written before it.",
		Keys: []decision.Key{keyLast},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("a creation was refused after its last one, %s ago: its caches held everything before that attempt", fs.Str(keyLast))
		},
	},
	{
		ID: ActedSince, Title: "A later write to a Pod shows that everything before it was seen", Source: kruise,
		Text: "The manager notes on a Pod when it updated it in place, and when its lifecycle entered another state. A sync that finds something outstanding ends before it does either, so it had seen all that was written before.",
		Keys: []decision.Key{keyAt, keyAge},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("it wrote to a Pod at %s, %s ago, after its last creation or deletion: it had seen everything before that", fs.Str(keyAt), fs.Str(keyAge))
		},
	},
	{
		ID: WritesPossiblyPending, Title: "Some writes may not have been seen", Source: counts,
		Text: "Pods were created, deleted or updated, and nothing that can be read shows that the controller's cache has them. Usually it has, within milliseconds; a watch that lags, or a process that stands still, has not.",
		Line: func(fs decision.Facts) string {
			text := fmt.Sprintf("0 to %s, made %s ago", outstanding(fs), span(fs.Str(keyOldest), fs.Str(keyNewest)))
			if at := fs.Str(keyExpires); at != "" {
				text += fmt.Sprintf("; expired for sure at %s, in %s", at, fs.Str(keyLeft))
			}
			return text
		},
	},
	{
		ID: CreationsPossiblyLost, Title: "Creations in a namespace that is being deleted are waited for in vain", Source: manage,
		Text: "The controller takes the refusal of a namespace that is being deleted for a success. It then waits for Pods that never come, five minutes each time, and sends no event.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("0 to %s, which the namespace's deletion refused without the controller noticing", format.Plural(fs.Int(keyMissing), "creation"))
		},
	},
	{
		ID: WritesPossiblyHidden, Title: "No write is known, and not all can be", Source: tool,
		Text: "No write that could be outstanding is known. A Pod that was created or deleted and is gone leaves nothing but an event, and events were not read, or not all of them exist.",
		Says: "nothing outstanding can be seen, but a write whose Pod is gone could not be either",
	},
	{
		ID: ExpiredUnseen, Title: "What may be outstanding no longer counts", Source: counts,
		Text: "The last write is older than five minutes. Whether the controller ever saw it is not known, and does not matter: an old record holds nothing back.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("its last write is %s old; whatever it waited for no longer counts since %s", fs.Str(keyLast), fs.Str(keyExpired))
		},
	},
	{
		ID: LeaseNotHeld, Title: "No active leader, and the next one expects nothing", Source: elect,
		Text: "The Lease ran out. A process that was only stopped gives up when it finds that it lost the Lease; the next leader starts with no expectations.",
		Line: func(fs decision.Facts) string {
			if fs.Str(keyHolder) == "" {
				return fmt.Sprintf("no active %s: its Lease has no holder, last renewed %s ago", fs.Str(keyProcess), fs.Str(keyAge))
			}
			return fmt.Sprintf("no %s acts: %s last renewed its lease %s ago", fs.Str(keyProcess), fs.Str(keyHolder), fs.Str(keyAge))
		},
	},
	{
		ID: TargetTerminating, Title: "What is being deleted creates and deletes nothing", Source: syncSet,
		Text: "Whatever is outstanding, the controller neither creates nor deletes for an object with a deletion timestamp.",
		Says: "being deleted: what it expects no longer matters",
	},
}

var thenRules = decision.Catalogue{
	{
		ID: ThenProceeds, Title: "The next sync may create and delete", Source: counts,
		Text: "Nothing holds the next sync back; what it does is computed.",
		Says: "the next sync may create and delete",
	},
	{
		ID: ThenRetries, Title: "A sync is tried again until the caches hold the writes", Source: ownWrites,
		Text: "While a cache is older than a write, a sync ends with an error before it does anything, and is repeated with back-off, from 5ms up to 16m40s. There is no timeout.",
		Says: "until its caches hold them, each sync ends with an error before it does anything, and is repeated with back-off",
	},
	{
		ID: ThenWaits, Title: "A ReplicaSet waits for the rest, five minutes at most", Source: syncSet,
		Text: "While something is outstanding the controller still claims Pods and writes status, and neither creates nor deletes. It continues when the rest is seen or five minutes after the record was made.",
		Line: func(fs decision.Facts) string {
			if at := fs.Str(keyExpires); at != "" {
				return "until it has seen them, or until " + at + ", it claims Pods and writes status, and neither creates nor deletes; then it proceeds"
			}
			return "while anything is outstanding, 5m at most, it claims Pods and writes status, and neither creates nor deletes; then it proceeds"
		},
	},
	{
		ID: ThenBlocked, Title: "A CloneSet stays blocked until what it expects is seen", Source: kruise,
		Text: "While something is outstanding the sync ends at once: no Pod is claimed, created, deleted or updated, and no status is written. After five minutes it only stops to look by itself. Nothing but the missing event, or a restart of the kruise-manager, ends this; gate ForceDeleteTimeoutExpectationGate (1.8, off by default) would.",
		Says: "while anything is outstanding it does nothing at all, not even write status, and there is no timeout",
	},
	{
		ID: ThenDropped, Title: "A CloneSet drops what timed out", Source: kruise,
		Text: "With gate ForceDeleteTimeoutExpectationGate the record is dropped five minutes after the first look that found something outstanding, and the set is looked at again ten seconds later.",
		Says: "while anything is outstanding it does nothing; 5m after it first found that it drops the record, and continues 10s later",
	},
	{
		ID: ThenStartsEmpty, Title: "The next leader starts without expectations", Source: elect,
		Text: "It fills its caches, looks at every object, and acts by what it finds.",
		Line: func(fs decision.Facts) string {
			return "the next " + fs.Str(keyProcess) + " starts with no expectations and may create and delete at once"
		},
	},
	{
		ID: ThenNothing, Title: "Nothing is created or deleted", Source: syncSet,
		Text: "The garbage collector takes the Pods.",
		Says: "it neither creates nor deletes",
	},
}

// outstanding is "2 creations and 1 deletion".
func outstanding(fs decision.Facts) string {
	var parts []string
	for _, one := range []struct {
		key  decision.Key
		noun string
	}{{decision.KeyCreations, "creation"}, {keyDeletions, "deletion"}, {keyUpdates, "update"}} {
		if n := fs.Int(one.key); n > 0 {
			parts = append(parts, format.Plural(n, one.noun))
		}
	}
	return strings.Join(parts, " and ")
}

// span is one age, or two.
func span(oldest, newest string) string {
	if oldest == newest {
		return oldest
	}
	return newest + " to " + oldest
}
