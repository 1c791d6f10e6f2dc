package decision

// The keys of facts that every controller tells alike: of Count, and of a Ranking.
const (
	KeyActive            Key = "active"
	KeyAdopted           Key = "adopted"
	KeyAllPodsCount      Key = "allPodsCount"
	KeyAttempted         Key = "attempted"
	KeyAvailablePodCount Key = "availablePodCount"
	KeyBatches           Key = "batches"
	KeyColumn            Key = "column"
	KeyCreations         Key = "creations"
	KeyDesired           Key = "desired"
	KeyDiff              Key = "diff"
	KeyFinished          Key = "finished"
	KeyK                 Key = "k"
	KeyMaxSurge          Key = "maxSurge"
	KeyMaxUnavailable    Key = "maxUnavailable"
	KeyMinAvailable      Key = "minAvailable"
	KeyN                 Key = "n"
	KeyOp                Key = "op"
	KeyOther             Key = "other"
	KeyOwned             Key = "owned"
	KeyRefused           Key = "refused"
	KeySpecReplicas      Key = "spec.replicas"
	KeyTerminating       Key = "terminating"
	KeyValue             Key = "value"
	KeyVersus            Key = "versus"
)
