package statefulset

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"

// The feature gates that the controller consults.
const (
	maxUnavailableGate = "MaxUnavailableStatefulSet"
	autoDeleteGate     = "StatefulSetAutoDeletePVC"
	startOrdinalGate   = "StatefulSetStartOrdinal"
	podIndexGate       = "PodIndexLabel"
	semanticGate       = "StatefulSetSemanticRevisionComparison"
	recreateGate       = "StatefulSetRecreateStrategy"
	staleGate          = "StaleControllerConsistencyStatefulSet"
)

// releases are what differs between releases of the controller. Lives of gates before
// 1.29 are left out: it is modelled from then on.
var releases = profile.Releases{
	Gates: []profile.Gate{
		{Name: maxUnavailableGate, Since: 21, On: 35, Off: profile.V1(35, 4), Back: profile.V1(37, 0)},
		{Name: autoDeleteGate, Since: 21, On: 21, Locked: 32},
		{Name: startOrdinalGate, Since: 21, On: 21, Locked: 31},
		{Name: podIndexGate, Since: 21, On: 21, Locked: 32},
		{Name: semanticGate, Since: 34, On: 34},
		{Name: recreateGate, Since: 37, On: 38},
		{Name: staleGate, Since: 36, On: 36},
	},
	Changes: []profile.Change{
		{Since: profile.V1(31, 0), What: "StatefulSets: spec.ordinals.start is always read"},
		{Since: profile.V1(34, 0), What: "StatefulSets: updates wait for Pods to be available; before, to be ready", Place: 3},
		{Since: profile.V1(34, 0), What: "StatefulSets: revisions hold no unset creationTimestamp, and hash to other names", Place: 3},
		{Since: profile.V1(34, 2), What: "StatefulSets: the same; a revision that restores the template counts as equal"},
		{Since: profile.V1(35, 0), What: "StatefulSets: owners of volume claims and the ordinal label need no gate"},
		{Since: profile.V1(35, 1), What: "StatefulSets: the next sync is timed by the Pod that is available first"},
		{Since: profile.V1(36, 0), What: "StatefulSets: a Pod to delete that is not found counts as deleted"},
		{Since: profile.V1(37, 0), What: "StatefulSets: strategy Recreate; Parallel replaces broken Pods of old revisions first"},
	},
}
