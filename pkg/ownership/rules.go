package ownership

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// The rules of claiming.
const (
	OwnedMatching         = "OwnedMatching"
	AdoptOrphan           = "AdoptOrphan"
	AdoptContested        = "AdoptContested"
	ReleaseMismatch       = "ReleaseMismatch"
	OtherController       = "OtherController"
	ForeignReference      = "ForeignReference"
	TerminatingOrphan     = "TerminatingOrphan"
	DeletingAdoptsNothing = "DeletingAdoptsNothing"
	DeletingKeeps         = "DeletingKeeps"
	ReadBeforeAdopting    = "ReadBeforeAdopting"
)

const claimObject = "pkg/controller/controller_ref_manager.go BaseControllerRefManager.ClaimObject (v1.37.1)"

// Rules is the part of every claiming plugin's catalogue that this package decides.
var Rules = decision.Catalogue{
	{
		ID: OwnedMatching, Title: "The object is owned and matches", Source: claimObject,
		Text: "Its controller reference carries this controller's UID and its labels match the selector. It is claimed, even while either of them is being deleted: that takes no action.",
		Line: func(decision.Facts) string { return "owned, labels match the selector" },
	},
	{
		ID: AdoptOrphan, Title: "An orphan that matches is adopted", Source: claimObject,
		Text: "The object has no controller, its labels match the selector, and neither it nor the controller is being deleted. Before the first adoption of a sync, the controller reads itself live from the API server and adopts nothing if it was deleted or replaced in the meantime.",
		Line: func(decision.Facts) string { return "no controller, labels match the selector" },
	},
	{
		ID: ReleaseMismatch, Title: "An owned object that no longer matches is released", Source: claimObject,
		Text: "Its controller reference carries this controller's UID but its labels no longer match the selector. The reference is taken out; the object lives on without a controller, a replacement is created if one is missing, and the object will not be collected when the controller is deleted.",
		Keys: []decision.Key{keyLabel, keyTerm},
		Line: mismatch,
	},
	{
		ID: OtherController, Title: "An object of another controller is ignored", Source: claimObject,
		Text: "Its controller reference carries another UID. Labels that match the selector change nothing; the UID alone decides, not the name.",
		Keys: []decision.Key{keyController, keyUID},
		Line: func(fs decision.Facts) string {
			of := ""
			if version := fs.Str(keyAPIVersion); version != "" {
				of = version + ", "
			}
			return fmt.Sprintf("controlled by %s (%suid %s)", fs.Str(keyController), of, fs.Str(keyUID))
		},
	},
	{
		ID: ForeignReference, Title: "A reference with this UID under another name is not found", Versions: "1.34.2 and later",
		Source: "pkg/controller/controller_utils.go FilterPodsByOwner, PodControllerIndexKey (v1.37.1)",
		Text:   "The controller looks up its Pods by the kind, name and UID of their controller reference together. One that carries its UID with another kind or name is in no list it reads: it is neither counted nor released. Before 1.34.2 the UID alone decided.",
		Keys:   []decision.Key{keyController},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("its controller reference has this UID but names %s", fs.Str(keyController))
		},
	},
	{
		ID: TerminatingOrphan, Title: "An orphan that is being deleted is not adopted", Source: claimObject,
		Text: "The object has no controller and matches the selector, but it has a deletion timestamp.",
		Line: func(decision.Facts) string { return "no controller, labels match, but it is being deleted" },
	},
	{
		ID: DeletingAdoptsNothing, Title: "A controller that is being deleted adopts nothing", Source: claimObject,
		Text: "The object has no controller and matches the selector, but the controller object has a deletion timestamp.",
		Line: func(decision.Facts) string {
			return "no controller, labels match, but the controller is being deleted"
		},
	},
	{
		ID: DeletingKeeps, Title: "A controller that is being deleted releases nothing", Source: claimObject,
		Text: "The object is owned and no longer matches the selector, but the controller object has a deletion timestamp. The reference stays, and the garbage collector acts on it.",
		Keys: []decision.Key{keyLabel, keyTerm},
		Line: func(fs decision.Facts) string {
			return mismatch(fs) + ", but the controller is being deleted"
		},
	},
}

// RecheckRules is the part about the live read before an adoption.
var RecheckRules = decision.Catalogue{
	{
		ID: ReadBeforeAdopting, Title: "A controller reads itself live before its first adoption", Source: "pkg/controller/controller_ref_manager.go BaseControllerRefManager.CanAdopt, RecheckDeletionTimestamp (v1.37.1)",
		Text: "What the controller knows of its own object comes from a cache that may be older than the API server: it could adopt for an object that was deleted or replaced. So it gets the object from the API server, once a sync, before the first adoption. With another UID or a deletion timestamp, or without an answer, the sync adopts nothing and ends with an error. Every other read of a claim is of the cache.",
		Keys: []decision.Key{keyOwner, keyUID},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s reads itself from the API server once before it adopts, as its cache may be old: %s", fs.Str(keyOwner), found(fs))
		},
	},
}

// found says what a controller reads of itself, and what comes of it.
func found(fs decision.Facts) string {
	if err := fs.Str(keyError); err != "" {
		return err + ", so it adopts nothing"
	}
	return fmt.Sprintf("UID %s and not being deleted, as read here, so it adopts", fs.Str(keyUID))
}

// mismatch says which label does not match, or that none does where there is no selector.
func mismatch(fs decision.Facts) string {
	if fs.Str(keyLabel) == "" {
		return "the selector matches no labels"
	}
	return fmt.Sprintf("%s, selector wants %s", fs.Str(keyLabel), fs.Str(keyTerm))
}

// ContestRules are those of adoptions that several controllers may make.
var ContestRules = decision.Catalogue{
	{
		ID: AdoptContested, Title: "Several controllers would adopt the same orphan", Source: claimObject,
		Text: "The orphan matches the selectors of several controllers. Whichever syncs first becomes its controller; the others then ignore it. Which one that is cannot be known from outside.",
		Keys: []decision.Key{keyRivals},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("no controller, labels match; %s may adopt it first", fs.Str(keyRivals))
		},
	},
}
