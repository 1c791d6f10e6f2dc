package lineage

import (
	"fmt"
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
)

// The rules of owner references and their collection.
const (
	OwnerFound      = "OwnerFound"
	OwnerWaits      = "OwnerWaits"
	OwnerOrphans    = "OwnerOrphans"
	OwnerAbsent     = "OwnerAbsent"
	OwnerReplaced   = "OwnerReplaced"
	OwnerElsewhere  = "OwnerElsewhere"
	NamespacedOwner = "NamespacedOwner"
	KindNotServed   = "KindNotServed"
	OwnerNotRead    = "OwnerNotRead"

	AdoptedNext    = "AdoptedNext"
	AdoptedByOneOf = "AdoptedByOneOf"
	OrphanedFree   = "OrphanedFree"
	OrphanedRemade = "OrphanedRemade"
	OrphanedNext   = "OrphanedNext"

	Collected           = "Collected"
	ReferenceDropped    = "ReferenceDropped"
	OrphanedOrCollected = "OrphanedOrCollected"
	CollectorStuck      = "CollectorStuck"
	AlreadyDeleting     = "AlreadyDeleting"
)

const (
	isDangling   = "pkg/controller/garbagecollector/garbagecollector.go isDangling (v1.37.1)"
	orphaning    = "pkg/controller/garbagecollector/graph_builder.go startsWaitingForDependentsOrphaned; garbagecollector.go orphanDependents (v1.37.1)"
	classify     = "pkg/controller/garbagecollector/garbagecollector.go classifyReferences (v1.37.1)"
	attempt      = "pkg/controller/garbagecollector/garbagecollector.go attemptToDeleteItem (v1.37.1)"
	deleteWorker = "pkg/controller/garbagecollector/garbagecollector.go attemptToDeleteWorker (v1.37.1)"
)

// Rules is the catalogue of this package, with those of claims.
var Rules = slices.Concat(ownership.Rules, ownership.KindRules, ReferenceRules, nextRules)

// ReferenceRules are those of references and their collection.
var ReferenceRules = decision.Catalogue{
	{
		ID: OwnerFound, Title: "The owner exists", Source: isDangling,
		Text: "An object of the kind and name that the reference gives exists, in the same namespace or cluster-scoped, and has the UID that the reference says.",
		Says: "exists, uid matches",
	},
	{
		ID: OwnerWaits, Title: "The owner is being deleted in the foreground", Source: classify,
		Text: "The owner exists, has a deletion timestamp and the finalizer foregroundDeletion: it waits for its dependents, and the garbage collector deletes them unless another owner keeps them.",
		Says: "is being deleted in the foreground and waits for its dependents",
	},
	{
		ID: OwnerOrphans, Title: "The owner is being deleted and orphans its dependents", Source: orphaning,
		Text: "The owner exists, has a deletion timestamp and the finalizer orphan, as kubectl delete --cascade=orphan leaves it: the garbage collector takes the reference out of the dependents, and then the finalizer off the owner, which is gone then.",
		Says: "is being deleted and orphans its dependents",
	},
	{
		ID: OwnerAbsent, Title: "The owner does not exist", Source: isDangling,
		Text: "No object of the kind and name exists. The garbage collector asks the API server itself before it takes an owner for absent. Files that hold others of its kind may lack it.",
		Line: func(fs decision.Facts) string {
			if fs.Str(keyInput) != "" {
				return "is not in the input, and taken not to exist"
			}
			return "does not exist"
		},
	},
	{
		ID: OwnerReplaced, Title: "The owner is another object of the same name", Source: isDangling,
		Text: "An object of the kind and name exists but has another UID: the owner was deleted and created anew. For the garbage collector the reference's owner is absent.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("has uid %s, the reference says %s", fs.Str(keyHas), fs.Str(keySays))
		},
	},
	{
		ID: OwnerElsewhere, Title: "The owner is in another namespace", Source: isDangling,
		Text: "References have no namespace: an owner of a namespaced kind is looked up in the namespace of the dependent. An object with this UID exists in another one, which does not count; the garbage collector takes the owner for absent and says so in an event OwnerRefInvalidNamespace.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("is in namespace %s, and owners are looked up in the dependent's own", fs.Str(keyNamespace))
		},
	},
	{
		ID: NamespacedOwner, Title: "A cluster-scoped object can't have a namespaced owner", Source: isDangling,
		Text: "The object has no namespace but its owner's kind is namespaced. The garbage collector can't look such an owner up, and leaves the object alone.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("is of the namespaced kind %s, which can't own a cluster-scoped object", fs.Str(keyKind))
		},
	},
	{
		ID: KindNotServed, Title: "The owner's kind is not served", Source: deleteWorker,
		Text: "The server does not serve the reference's kind in its API version, because its definition was removed or the version is gone. The garbage collector finds no way to look the owner up and retries for ever.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("is of %s, which the server does not serve", fs.Str(keyKind))
		},
	},
	{
		ID: OwnerNotRead, Title: "The owner could not be read", Source: "this tool",
		Text: "The owner's kind is not part of the input, or this user may not read it. Whether the owner exists is not known.",
		Line: func(fs decision.Facts) string { return "could not be checked: " + fs.Str(keyError) },
	},
	{
		ID: Collected, Title: "The garbage collector deletes an object without an owner that keeps it", Source: attempt,
		Text: "None of the owners exists (or all that do are being deleted in the foreground). The object is deleted: in the background, unless a finalizer on it asks for another policy. Where an owner waits for it and it has dependents itself, it is deleted in the foreground, whatever its finalizers ask for; where one of these dependents is being deleted in the foreground as well, its owner references are made non-blocking first, so that a circle of owners does not wait for itself.",
		Line: func(fs decision.Facts) string {
			unless := unlessLeftOut(fs)
			switch fs.Str(KeyPolicy) {
			case "Orphan":
				return "the garbage collector deletes it and orphans its dependents, as its finalizer asks" + unless
			case "Foreground":
				return "the garbage collector deletes it, its dependents first" + unless
			}
			return "the garbage collector deletes it" + unless
		},
	},
	{
		ID: ReferenceDropped, Title: "A reference to an absent owner is dropped while another owner keeps the object", Source: attempt,
		Text: "At least one owner exists, so the object stays. The garbage collector takes the references to absent owners, and to those that wait for their dependents, out of it.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("the garbage collector drops the reference to %s%s; %s keeps it", fs.Str(keyDropped), unlessLeftOut(fs), fs.Str(keyKeeper))
		},
	},
	{
		ID: OrphanedOrCollected, Title: "Which owner is gone first decides whether the object is deleted", Source: attempt,
		Text: "Of its owners, those that keep the object orphan their dependents, and another is absent or waits for its dependents. The garbage collector orphans and deletes by two queues (attemptToOrphan, attemptToDelete). Where it drops the reference to the other owner first, the object stays. Where the object is orphaned first, no owner keeps it, and it is deleted.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("the garbage collector deletes it if %s orphans it before the reference to %s is dropped%s; else it stays", fs.Str(keyKeeper), fs.Str(keyDropped), unlessLeftOut(fs))
		},
	},
	{
		ID: CollectorStuck, Title: "The garbage collector comes to no conclusion", Source: deleteWorker,
		Text: "One of the owners can't be looked up at all. As long as that is so the object is neither deleted nor changed, whatever its other owners are.",
		Says: "the garbage collector can't decide and leaves it",
	},
	{
		ID: AlreadyDeleting, Title: "The object is being deleted already", Source: attempt,
		Text: "The object has a deletion timestamp. The garbage collector waits until it is gone.",
		Says: "it is being deleted already",
	},
}

// unlessLeftOut says that a missing owner may only be missing in the input.
func unlessLeftOut(fs decision.Facts) string {
	if owner := fs.Str(keyInput); owner != "" {
		return ", unless " + owner + " was left out of the input"
	}
	return ""
}
