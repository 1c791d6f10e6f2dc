package statefulset

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"

const retentionFile = utilsFile + "isClaimOwnerUpToDate, updateClaimOwnerRefForSetAndPod (v1.37.1)"

var claimRules = decision.Catalogue{
	{
		ID: CreateClaim, Title: "A missing volume claim is created", Source: podFile + "createPersistentVolumeClaims (v1.37.1)",
		Text: "One for each of volumeClaimTemplates, under the name TEMPLATE-SET-ORDINAL, before its Pod is created; and again for a Pod that is Pending. For a Pod in another phase no claim is created.",
		Keys: []decision.Key{keyPod},
		Line: tells("for %s", keyPod),
	},
	{
		ID: OwnClaim, Title: "The owners of a volume claim follow the retention policy", Source: retentionFile,
		Text: "With whenDeleted Delete the StatefulSet owns the claims, and the garbage collector deletes them with it. With whenScaled Delete a Pod beyond the ordinals owns its claims, which are deleted with it. With Retain nothing of the StatefulSet owns them.",
		Keys: []decision.Key{keyOwners, keyPod, keyWhenDeleted, keyWhenScaled},
		Line: tells("for %s: owned by %s (whenDeleted %s, whenScaled %s)", keyPod, keyOwners, keyWhenDeleted, keyWhenScaled),
	},
	{
		ID: StaleClaim, Title: "A Pod is not created while a claim belongs to the one before it", Source: podFile + "PodClaimIsStale (v1.37.1)",
		Text: "With whenScaled Delete, a claim whose owner reference names a Pod of this name with another UID is about to be deleted by the garbage collector. The sync ends until it is gone.",
		Keys: []decision.Key{keyPod},
		Line: tells("it belongs to an earlier %s, which is created when the claim is gone", keyPod),
	},
	{
		ID: ClaimBeingDeleted, Title: "A volume claim that is being deleted fails the sync", Source: podFile + "createPersistentVolumeClaims (v1.37.1)",
		Text: "A Pod is not created, and one that is Pending holds the sync up, while one of its claims has a deletion timestamp. A Pod that uses the claim keeps it from being deleted (kubernetes.io/pvc-protection): delete the Pod, and both are created again, the claim without its data.",
		Keys: []decision.Key{keyPod},
		Line: tells("it is being deleted: %s waits until it is gone", keyPod),
	},
	{
		ID: ClaimOwnedElsewhere, Title: "A volume claim has another controller", Source: podFile + "UpdatePodClaimForRetentionPolicy (v1.37.1)",
		Text: "The retention policy is not applied to it, references to the StatefulSet and its Pod are removed, and the event ConflictingController is sent.",
		Keys: []decision.Key{keyPod},
		Line: tells("it has another controller: the retention policy is not applied to this claim of %s", keyPod),
	},
}

var revisionRules = decision.Catalogue{
	{
		ID: RevisionCurrentTemplate, Title: "The template is that of the newest revision", Source: revisions,
		Text: "Its data are the same bytes. Nothing is stored.",
		Keys: []decision.Key{keyNumber},
		Line: tells("the template of the StatefulSet, revision %s", keyNumber),
	},
	{
		ID: RevisionSameMeaning, Title: "The newest revision means the same as the template", Source: controlFile + "setMatchesLatestExistingRevision (v1.37.1)", Versions: "since 1.34.2 (gate StatefulSetSemanticRevisionComparison)",
		Text: "Its data are other bytes, and restore the same template: another release encoded it. In 1.34.0 and 1.34.1 such a revision counts as another one, and all Pods are updated.",
		Keys: []decision.Key{keyNumber},
		Line: tells("means the same as the template, revision %s", keyNumber),
	},
	{
		ID: RevisionOlderTemplate, Title: "The template is that of an older revision", Source: revisions,
		Text: "A rollback: the older ControllerRevision gets the highest number.",
		Keys: []decision.Key{keyNumber},
		Line: tells("the template is this older one again, which becomes revision %s", keyNumber),
	},
	{
		ID: RevisionNewTemplate, Title: "The template is new", Source: revisions,
		Text: "A ControllerRevision is created. Its name ends in a hash of its data and of status.collisionCount.",
		Keys: []decision.Key{keyNumber},
		Line: tells("new, revision %s", keyNumber),
	},
	{
		ID: RevisionNameTaken, Title: "A revision of the same data has the name of the new one", Source: "pkg/controller/history/controller_history.go CreateControllerRevision (v1.37.1)",
		Text: "It is used as it is, whosever it is. One of other data raises status.collisionCount, and the next hash is tried.",
		Line: tells("stored already under the name of the new one, revision %s", keyNumber),
	},
	{
		ID: RevisionsUnread, Title: "The ControllerRevisions were not read", Source: revisions,
		Text: "The names in status are taken for those of the current and the update revision, unless the spec changed since status was written.",
		Says: "known by its name alone",
	},
	{
		ID: OlderTemplate, Title: "An older revision", Source: controlFile + "truncateHistory (v1.37.1)",
		Text: "It is kept while a Pod carries it, while it is the current revision, and else as one of the newest spec.revisionHistoryLimit.",
		Keys: []decision.Key{keyNumber},
		Line: tells("older, revision %s", keyNumber),
	},
	{
		ID: RevisionTruncated, Title: "An old revision is deleted", Source: controlFile + "truncateHistory (v1.37.1)",
		Text: "No Pod carries it, and there are more of them than spec.revisionHistoryLimit. The oldest is deleted first.",
		Keys: []decision.Key{keyNumber},
		Line: tells("older, revision %s, beyond the history limit: deleted by this sync", keyNumber),
	},
}

var statusRules = decision.Catalogue{
	{
		ID: StatusNotReached, Title: "The sync ends before status", Source: controlFile + "performUpdate (v1.37.1)",
		Text: "A sync that fails early writes no status.",
		Says: "not reached",
	},
	{
		ID: StatusUnchanged, Title: "Status is not written when nothing changed", Source: utilsFile + "inconsistentStatus (v1.37.1)",
		Text: "All counts, both revisions and observedGeneration are unchanged, and since 1.37 the conditions.",
		Says: "unchanged, not written",
	},
	{
		ID: StatusWritten, Title: "Status counts the Pods as they were before the sync", Source: controlFile + "updateStatus, updateStatefulSetStatus (v1.37.1)",
		Text:     "Pods that this sync creates do not count yet; one that it deletes to be updated does not count as current any more. When all Pods are updated and ready, status.currentRevision becomes the update revision.",
		Versions: "until 1.36 only with RollingUpdate",
		Says:     "written",
	},
	{
		ID: StatusRefused, Title: "A refused status update fails the sync", Source: upstream + "stateful_set_status_updater.go UpdateStatefulSetStatus (v1.37.1)",
		Text: "A conflict is tried again, 5 times in all, with the StatefulSet as the cache has it then.",
		Keys: []decision.Key{keyError, keyTries},
		Line: tells("refused after %s tries: %s", keyTries, keyError),
	},
	{
		ID: StatusBelowZero, Title: "A status with currentReplicas below zero is refused", Source: controlFile + "updateStatefulSet (v1.37.1); pkg/apis/apps/validation/validation.go ValidateStatefulSetStatus (v1.37.1)",
		Text: "The controller subtracts each Pod that it deletes for an update from status.currentReplicas, also a Pod that is not of the current revision, and so was not counted there. The API server refuses a negative number. The sync fails after its deletions, is repeated with back-off, and counts again: nothing needs to be done. It happens where a third revision replaces the second before all Pods were updated to it, or where the template is that of the current revision again.",
		Keys: []decision.Key{keyCurrent},
		Line: tells("refused, as currentReplicas would be %s: the controller subtracts a Pod that it did not count; the next sync writes it", keyCurrent),
	},
}
