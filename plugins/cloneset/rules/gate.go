package rules

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// The rules before and after the work of a sync.
const (
	InvalidSelector         = "InvalidSelector"
	NoExpectations          = "NoExpectations"
	ScaleExpected           = "ScaleExpected"
	ScaleExpectedForever    = "ScaleExpectedForever"
	ScaleExpectationDropped = "ScaleExpectationDropped"
	VersionExpected         = "VersionExpected"
	VersionExpectedForever  = "VersionExpectedForever"
	ClaimRefused            = "ClaimRefused"
	CloneSetDeleting        = "CloneSetDeleting"

	NeverAdopts        = "NeverAdopts"
	FinishedIgnored    = "FinishedIgnored"
	TerminatingIgnored = "TerminatingIgnored"
	VolumeHandedToPod  = "VolumeHandedToPod"
	VolumeOfNoPod      = "VolumeOfNoPod"

	RevisionUnchanged  = "RevisionUnchanged"
	RevisionRolledBack = "RevisionRolledBack"
	RevisionCreated    = "RevisionCreated"
	FieldsDropped      = "FieldsDropped"
	RevisionMadeAgain  = "RevisionMadeAgain"
	RevisionTaken      = "RevisionTaken"
	RollbackPanics     = "RollbackPanics"
	RevisionNotRead    = "RevisionNotRead"
	OlderRevision      = "OlderRevision"
)

var gateRules = decision.Catalogue{
	{
		ID: InvalidSelector, Title: "A CloneSet's selector does not parse", Source: doReconcile,
		Text: "The controller logs the error and does nothing else: no claim, no Pod, no status, and no retry until the next event.",
		Keys: []decision.Key{KeyError},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("the selector is invalid: %s; the controller does nothing", fs.Str(KeyError))
		},
	},
	{
		ID: NoExpectations, Title: "Nothing keeps the CloneSet's sync from acting", Source: expectFunc,
		Text: "A kruise-manager that was just started has no record of outstanding writes. What the real one remembers can't be read from outside.",
		Says: "open: a simulated controller starts without expectations",
	},
	{
		ID: ScaleExpected, Title: "A CloneSet waits for Pods and claims that it created or deleted", Source: expectFunc,
		Text: "While one of them was not seen, the sync ends at once: it does not even write status. It looks again when the five minutes of the timeout are over (--expectation-timeout).",
		Keys: []decision.Key{KeyCreates, KeyDeletes, KeyWaited},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("closed: waits to see %s, for %s already", outstanding(fs), fs.Brief(KeyWaited))
		},
	},
	{
		ID: ScaleExpectedForever, Title: "A lost event blocks the CloneSet for good", Source: doReconcile,
		Text: "After the timeout the sync ends without a timer, and so does every later one until the missing event comes or the kruise-manager is restarted. Gate ForceDeleteTimeoutExpectationGate (1.8, off by default) drops the record instead.",
		Keys: []decision.Key{KeyCreates, KeyDeletes, KeyWaited},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("closed for good: waits to see %s, since %s, beyond the timeout of 5m; restart the kruise-manager, or switch on ForceDeleteTimeoutExpectationGate", outstanding(fs), fs.Brief(KeyWaited))
		},
	},
	{
		ID: ScaleExpectationDropped, Title: "An expectation that timed out is dropped", Source: doReconcile, Versions: "gate ForceDeleteTimeoutExpectationGate, 1.8 and later",
		Text: "The record is deleted; the sync after the next ten seconds works again.",
		Keys: []decision.Key{KeyCreates, KeyDeletes, KeyWaited},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("closed for ten more seconds: the record of %s is dropped after %s", outstanding(fs), fs.Brief(KeyWaited))
		},
	},
	{
		ID: VersionExpected, Title: "A CloneSet waits to see a Pod as it wrote it", Source: versionFunc,
		Text: "The cache still holds a version of the Pod from before the controller's own patch. The sync ends, after claims and revisions, and looks again when the timeout of five minutes is over.",
		Keys: []decision.Key{KeyPod, KeyWaited},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("closed: waits to see its last write of Pod %s, for %s already", fs.Str(KeyPod), fs.Brief(KeyWaited))
		},
	},
	{
		ID: VersionExpectedForever, Title: "A write that is never seen blocks until the next event", Source: doReconcile,
		Text: "After the timeout the sync ends without a timer. The next event of the Pod continues the CloneSet's sync.",
		Keys: []decision.Key{KeyPod, KeyWaited},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("closed: waits to see its last write of Pod %s, since %s, beyond the timeout; no timer is set", fs.Str(KeyPod), fs.Brief(KeyWaited))
		},
	},
	{
		ID: ClaimRefused, Title: "A refused release, adoption, volume or revision ends the CloneSet's sync", Source: doReconcile,
		Text: "These come first. The sync ends with the error, without creating, deleting, updating or writing status, and is retried with backoff.",
		Keys: []decision.Key{KeyError},
		Line: func(fs decision.Facts) string { return "a claim, volume or revision was refused: " + fs.Str(KeyError) },
	},
	{
		ID: CloneSetDeleting, Title: "A CloneSet that is being deleted neither scales nor updates", Source: "pkg/controller/cloneset/cloneset_controller.go syncCloneSet (Kruise v1.9.1)",
		Text: "Revisions and status are still written. The Pods are left to the garbage collector.",
		Keys: []decision.Key{KeyDeletionTimestamp},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("being deleted since %s: neither scales nor updates", fs.Str(KeyDeletionTimestamp))
		},
	},
}

// outstanding names what an expectation waits for.
func outstanding(fs decision.Facts) string {
	created, deleted := fs.Str(KeyCreates), fs.Str(KeyDeletes)
	switch {
	case deleted == "":
		return "the creation of " + created
	case created == "":
		return "the deletion of " + deleted
	default:
		return "the creation of " + created + " and the deletion of " + deleted
	}
}

var claimRules = decision.Catalogue{
	{
		ID: NeverAdopts, Title: "A CloneSet never adopts an orphan", Source: "pkg/controller/cloneset/cloneset_controller.go getOwnedPods (Kruise v1.9.1)",
		Text: "Unlike a ReplicaSet's, the controller looks up its Pods by the UID in their owner references. A Pod without a reference is never found, whatever its labels; only one that refers to the CloneSet without naming it the controller is adopted.",
		Keys: []decision.Key{KeySet},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("matches the selector of %s, but a CloneSet never adopts", fs.Str(KeySet))
		},
	},
	{
		ID: FinishedIgnored, Title: "A finished Pod of a CloneSet is replaced and left behind", Source: "pkg/controller/cloneset/utils/cloneset_utils.go GetActiveAndInactivePods (Kruise v1.9.1)",
		Text: "Pods in phase Succeeded or Failed are neither counted nor deleted. With a volume claim of their own they block the name that the replacement would reuse.",
		Keys: []decision.Key{KeyPhase},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("phase %s, not counted, never deleted", fs.Str(KeyPhase))
		},
	},
	{
		ID: TerminatingIgnored, Title: "A Pod of a CloneSet that is being deleted does not count", Source: "pkg/controller/cloneset/utils/cloneset_utils.go GetActiveAndInactivePods (Kruise v1.9.1)",
		Text: "A replacement is created at once, while the old Pod still holds its place and its claims.",
		Keys: []decision.Key{KeyDeletionTimestamp},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("being deleted (until %s), not counted", fs.Str(KeyDeletionTimestamp))
		},
	},
	{
		ID: VolumeHandedToPod, Title: "The claim of a Pod that is being deleted is deleted with the Pod", Source: "pkg/controller/cloneset/cloneset_controller.go cleanupPVCs (Kruise v1.9.1)",
		Text: "With scaleStrategy.disablePVCReuse, the claim's owner becomes the finished or terminating Pod of its instance, so that no new Pod reuses it.",
		Keys: []decision.Key{KeyPod},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("becomes owned by its Pod %s, which has ended or is being deleted (disablePVCReuse)", fs.Str(KeyPod))
		},
	},
	{
		ID: VolumeOfNoPod, Title: "A claim of no Pod is deleted", Source: "pkg/controller/cloneset/cloneset_controller.go cleanupPVCs (Kruise v1.9.1)",
		Text: "With scaleStrategy.disablePVCReuse, claims of the CloneSet whose instance has no Pod are deleted first thing in the sync.",
		Keys: []decision.Key{KeyInstance},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("instance %s has no Pod (disablePVCReuse)", format.OrDash(fs.Str(KeyInstance)))
		},
	},
}

var revisionRules = decision.Catalogue{
	{
		ID: RevisionUnchanged, Title: "The template is that of the newest revision", Source: revisionFunc,
		Text: "Nothing is made. Templates are compared here after bringing both into one form; upstream compares bytes.",
		Keys: []decision.Key{KeyCollisions, KeyRevision},
		Line: func(fs decision.Facts) string {
			text := fmt.Sprintf("the template is revision %d, the newest", fs.Int(KeyRevision))
			if n := fs.Int(KeyCollisions); n > 0 {
				text += fmt.Sprintf("; status.collisionCount %d", n)
			}
			return text
		},
	},
	{
		ID: FieldsDropped, Title: "Kruise does not know a field of the template", Source: "pkg/controller/cloneset/revision/cloneset_revision.go getPatch (Kruise v1.9.1)",
		Text: "The manager reads a CloneSet into the Go types of the Kubernetes API that it was built with: 1.24, 1.26, 1.28, 1.30 and 1.32 for Kruise 1.5, 1.6, 1.7, 1.8 and 1.9. Newer fields of the template are lost there. A change of one makes no revision and updates no Pod, and Pods are created without it.",
		Keys: []decision.Key{KeyFields, KeyRelease},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("Kruise %s does not know %s: a change of it updates no Pod, and Pods are created without it", fs.Str(KeyRelease), fs.Str(KeyFields))
		},
	},
	{
		ID: RevisionRolledBack, Title: "The template is that of an older revision", Source: revisionFunc,
		Text: "The old ControllerRevision becomes the newest by a higher number; its name, and the Pods that carry it, stay.",
		Keys: []decision.Key{KeyRevision},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("the template is that of an older revision, which becomes the newest as number %d", fs.Int(KeyRevision))
		},
	},
	{
		ID: RevisionCreated, Title: "The template is new", Source: revisionFunc,
		Text: "A ControllerRevision is created. Its name ends in a hash over the template's bytes as the kruise-manager encodes them; it is predicted only where hashing the newest revision again gives that one's own name. status.collisionCount is hashed with them. Where another revision has the name and other data, the count is raised and the next name is tried, until one is free.",
		Keys: []decision.Key{KeyCollisions, KeyRevision},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("the template is new: revision %d is created; its name is a hash of it and of status.collisionCount %d", fs.Int(KeyRevision), fs.Int(KeyCollisions))
		},
	},
	{
		ID: RevisionMadeAgain, Title: "The template's revision is gone, and made again", Source: revisionFunc,
		Text: "All ControllerRevisions are gone, and status has observed the template: a hash over the same bytes gives the same name, and Pods that carry it are not updated.",
		Says: "it is gone, and made again under the same name",
	},
	{
		ID: RevisionTaken, Title: "A revision of another object has the new one's name, and its template", Source: "pkg/util/history/controller_history.go CreateControllerRevision (Kruise v1.9.1)",
		Text: "The name of a revision is made of the CloneSet's and of the template. A CloneSet that is deleted and made again comes to the name that is there already, asks for its creation at every sync, and uses the old one until the garbage collector has deleted it; then it creates its own.",
		Keys: []decision.Key{KeyRevision},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("revision %d of this template is there already, and another object's: it is used until it is deleted", fs.Int(KeyRevision))
		},
	},
	{
		ID: RollbackPanics, Title: "Going back to a revision without annotations crashes the manager", Source: "pkg/controller/cloneset/cloneset_controller.go getActiveRevisions (Kruise v1.8.3)", Versions: "1.7 and 1.8",
		Text: "These releases note the hash of the volume claim templates on the revision that is gone back to. One that has no annotation at all, as those made before 1.7, has no place for it: the kruise-manager exits, and after its restart again, until the template is another one or the revision has some annotation.",
		Keys: []decision.Key{KeyRevision},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("the kruise-manager crashes: revision %s, which the template goes back to, has no annotation", fs.Str(KeyRevision))
		},
	},
	{
		ID: RevisionNotRead, Title: "Revisions were not read", Source: revisionFunc,
		Text: "The revisions that status names are taken, as long as it has observed the template. Of one that has changed since, Pods of older revisions may be already. Where Pods come from is not known: they are recreated or updated in place.",
		Says: "the ControllerRevisions were not read, so whether Pods can be updated in place is not known",
	},
	{
		ID: OlderRevision, Title: "A revision of an older template", Source: revisionFunc,
		Text: "Pods that carry it are not updated. It is kept while a Pod carries it, and after that as one of spec.revisionHistoryLimit.",
		Keys: []decision.Key{KeyPods, KeyRevision},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("older, number %d, on %s", fs.Int(KeyRevision), format.Plural(fs.Int(KeyPods), "Pod"))
		},
	},
}
