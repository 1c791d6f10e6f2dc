package inference

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// The rules of what was found, what is not known, and where to look.
const (
	PodsCreated      = "PodsCreated"
	PodsDeleted      = "PodsDeleted"
	PodsUpdated      = "PodsUpdated"
	CreationsRefused = "CreationsRefused"
	LeaderSince      = "LeaderSince"
	StatusSays       = "StatusSays"

	EventsNotRead      = "EventsNotRead"
	EventsCombined     = "EventsCombined"
	EventsDropped      = "EventsDropped"
	LeaderNotKnown     = "LeaderNotKnown"
	StatusTimeNotKnown = "StatusTimeNotKnown"
	CacheHidden        = "CacheHidden"
	ReadBackHidden     = "ReadBackHidden"

	LookAtStatus        = "LookAtStatus"
	LookAtNextStatus    = "LookAtNextStatus"
	LookAtManagedFields = "LookAtManagedFields"
	LookAtEvents        = "LookAtEvents"
	LookAtLease         = "LookAtLease"
	WaitForExpiry       = "WaitForExpiry"
	RestartEmpties      = "RestartEmpties"
)

const correlator = "k8s.io/client-go/tools/record/events_cache.go (v0.37.1)"

// pods tells of some pods and when.
func pods(verb string) func(decision.Facts) string {
	return func(fs decision.Facts) string {
		return fmt.Sprintf("%s %s %s ago: %s", verb, format.Plural(fs.Int(decision.KeyN), "Pod"), span(fs.Str(keyOldest), fs.Str(keyNewest)), fs.Str(keyPods))
	}
}

var evidenceRules = decision.Catalogue{
	{
		ID: PodsCreated, Title: "Pods that it created", Source: manage,
		Text: "From the creation timestamps of its Pods, and from events of Pods that are gone: those that it may not have seen, or that the verdict counts, else those of the last sync, as far as times to the second show.",
		Line: pods("created"),
	},
	{
		ID: PodsDeleted, Title: "Pods that it deleted", Source: manage,
		Text: "From events, and from when a Pod's deletion was asked for: its deletion timestamp less its grace period. A deletion that no event tells of was somebody else's, if all events were read.",
		Line: pods("deleted"),
	},
	{
		ID: PodsUpdated, Title: "Pods that it updated in place", Source: "pkg/controller/cloneset/sync/cloneset_update.go updatePod (Kruise v1.9.1)",
		Text: "From events, or what Pods have on record. The sync continues when its cache holds the version that the update led to.",
		Line: pods("updated"),
	},
	{
		ID: CreationsRefused, Title: "Creations that the API server refused", Source: manage,
		Text: "From events of the reason FailedCreate, of the last hour at most. The number is of all of them.",
		Line: func(fs decision.Facts) string {
			several := ""
			if n := fs.Int(keyEvents); n > 1 {
				several = fmt.Sprintf(" (%d Events; this one ×%d)", n, fs.Int(keyOfLast))
			}
			return fmt.Sprintf("creation refused %d×%s, the last %s ago: %s", fs.Int(decision.KeyN), several, fs.Str(keyAge), fs.Str(keyMessage))
		},
	},
	{
		ID: LeaderSince, Title: "Whose memory is asked about", Source: elect,
		Text: "The holder of the Lease, since when it holds it, and when it last renewed it.",
		Line: func(fs decision.Facts) string {
			if fs.Str(keyHolder) == "" {
				return fmt.Sprintf("no holder, renewed %s ago", fs.Str(keyRenewed))
			}
			since := ""
			if at := fs.Str(keyAcquired); at != "" {
				since = fmt.Sprintf("leads for %s (since %s), ", fs.Str(keyLeads), at)
			}
			return fmt.Sprintf("%s %srenewed %s ago", fs.Str(keyHolder), since, fs.Str(keyRenewed))
		},
	},
	{
		ID: StatusSays, Title: "What its cache held when it last wrote status", Source: syncSet,
		Text: "Counts of status beside what they would be now, and when the controller last changed one of them (metadata.managedFields).",
		Line: func(fs decision.Facts) string {
			text := fmt.Sprintf("says %s, there are %d", format.Plural(fs.Int(KeyReplicas), "Pod"), fs.Int(keyReplicasNow))
			if g, o := fs.Int(keyGeneration), fs.Int(keyObservedGeneration); o < g {
				text += fmt.Sprintf("; of generation %d, the spec is %d", o, g)
			}
			if age := fs.Str(keyAge); age != "" {
				text += fmt.Sprintf("; last changed %s ago (%s)", age, fs.Str(keyAt))
			}
			return text
		},
	},
}

var limitRules = decision.Catalogue{
	{
		ID: EventsNotRead, Title: "Events could not be read", Source: tool,
		Text: "Pods that are gone, and refusals, leave nothing but events.",
		Line: func(fs decision.Facts) string {
			return fs.Str(keyError) + ": writes whose Pods are gone, and refusals, are not known"
		},
	},
	{
		ID: EventsCombined, Title: "Events were combined", Source: correlator,
		Text: "From the tenth similar event within ten minutes on, one event stands for all that follow: it counts them and has the message of the last.",
		Says: "events were combined: which Pods the earlier ones were about is lost",
	},
	{
		ID: EventsDropped, Title: "Events may have been dropped", Source: correlator,
		Text: "A source sends 25 events about an object and one more for each five minutes; the rest is dropped. Who sent fewer than twelve in the last hour has dropped none.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("it sent %d events or more in the last hour, so others may have been dropped", fs.Int(keyLimit))
		},
	},
	{
		ID: LeaderNotKnown, Title: "Since when the process remembers anything is not known", Source: elect,
		Text: "The Lease could not be read, or does not say when it was acquired. A process that started after the last write would wait for nothing.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("since when the %s remembers anything is not known (%s: %s)", fs.Str(keyProcess), fs.Str(keyLease), fs.Str(keyWhy))
		},
	},
	{
		ID: StatusTimeNotKnown, Title: "When status was last written is not known", Source: tool,
		Text: "The object's managedFields name no status write of the controller: kubectl get leaves them out unless asked with --show-managed-fields, or the status was never written.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("when %s last wrote status is not known: the object has no such managedFields", fs.Str(keyManager))
		},
	},
	{
		ID: CacheHidden, Title: "How far the controller's caches have read is not visible", Source: tool,
		Text: "What its watches have delivered is known to the process alone.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("how far the watches of the %s have read is not visible", fs.Str(keyProcess))
		},
	},
	{
		ID: ReadBackHidden, Title: "Whether it waits to read its own writes back is not visible", Source: "pkg/controller/util/consistency/consistency.go (v1.37.1)",
		Text: "Since 1.36 a sync is put off, for milliseconds as a rule, until the caches are as new as the controller's own writes. Only its metric stale_sync_skips_total counts that, and not by object.",
		Says: "whether a sync is put off until the caches hold its own writes shows only in the metric stale_sync_skips_total",
	},
}

var settleRules = decision.Catalogue{
	{
		ID: LookAtStatus, Title: "Status will count what was seen", Source: tool,
		Text: "As soon as the count is that of the Pods there are, everything was seen.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("status.%s becomes %d (is %d) when it has seen them all", fs.Str(keyField), fs.Int(keyBecomes), fs.Int(keyIs))
		},
	},
	{
		ID: LookAtNextStatus, Title: "The next status write settles it", Source: tool,
		Text: "Status counts what there is but was written before the last write; the next change of it, for example when a Pod becomes ready, tells.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("its next status write: the last, at %s, was before its last write", fs.Str(keyAt))
		},
	},
	{
		ID: LookAtManagedFields, Title: "When status was written would settle it", Source: tool,
		Text: "With the time of the last status write it can be told whether that counts the last creations.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("when %s wrote its status: kubectl get --show-managed-fields -o yaml, or ask the cluster instead of files", fs.Str(keyManager))
		},
	},
	{
		ID: LookAtEvents, Title: "Its events would tell", Source: tool,
		Text: "Events tell of creations, deletions and refusals.",
		Says: "its events, which this user may not list or the input does not hold",
	},
	{
		ID: LookAtLease, Title: "The Lease tells when somebody leads again", Source: elect,
		Text: "A new holder means a new memory.",
		Says: "another holder there means that a new process acts",
	},
	{
		ID: WaitForExpiry, Title: "Time settles it", Source: counts,
		Text: "A record of Kubernetes' own controllers holds five minutes.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("at %s at the latest it no longer counts", fs.Str(keyExpires))
		},
	},
	{
		ID: RestartEmpties, Title: "A restart empties the memory", Source: kruise,
		Text: "If the set stays as it is for minutes while its status is behind, an event was lost. Deleting the manager's leading Pod empties the memory of all its controllers.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("if it stays so for minutes, a restart of the %s empties its memory", fs.Str(keyProcess))
		},
	},
}
