package statefulset

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"

// behaviour is what differs between releases of the controller.
type behaviour struct {
	// version encodes templates: see package revision.
	version profile.Version
	// byName: Pods are looked up by the kind, name and UID of their controller
	// reference, since 1.34.2; by UID alone before.
	byName bool
	// revisionsByName: so are ControllerRevisions, since 1.36.
	revisionsByName bool
	// hashLabels: revisions whose hash labels are numbers and differ are not equal,
	// until 1.34.1.
	hashLabels bool
	// semantic: a revision that restores the template counts as equal (gate
	// StatefulSetSemanticRevisionComparison, since 1.34.2).
	semantic bool
	// available: Pods have to be available where ready was enough until 1.33.
	available bool
	// exact: a Pod is available when minReadySeconds have passed exactly, since 1.34.
	exact bool
	// precise: the next look is timed by the Pod that is available first, since 1.35.1.
	precise bool
	// missingIsDeleted: a Pod that is not found counts as deleted, since 1.36.
	missingIsDeleted bool
	// maxUnavailable: spec.updateStrategy.rollingUpdate.maxUnavailable is read (gate
	// MaxUnavailableStatefulSet).
	maxUnavailable bool
	// brokenFirst: with it, Parallel deletes Pods of old revisions that are not
	// available before others, and without a budget, since 1.37.
	brokenFirst bool
	// retention: the retention policy of claims is read (gate StatefulSetAutoDeletePVC).
	retention bool
	// start: spec.ordinals.start is read (gate StatefulSetStartOrdinal).
	start bool
	// index: Pods get the label with their ordinal (gate PodIndexLabel).
	index bool
	// conditions: status has conditions that are kept, since 1.37.
	conditions bool
	// completesAll: status.currentRevision follows an update of each strategy, since
	// 1.37; before, of RollingUpdate alone.
	completesAll bool
	// knowsRecreate: Recreate is a strategy, since 1.37; recreate: it is carried out
	// (gate StatefulSetRecreateStrategy).
	knowsRecreate, recreate bool
	// readsBack: a sync waits until the caches hold the controller's own writes (gate
	// StaleControllerConsistencyStatefulSet).
	readsBack bool
}

func behaviourOf(p profile.Profile) behaviour {
	v := p.Kubernetes
	return behaviour{
		version:          v,
		byName:           v.AtLeast(34, 2),
		revisionsByName:  v.AtLeast(36, 0),
		hashLabels:       !v.AtLeast(34, 2),
		semantic:         v.AtLeast(34, 2) && p.On(semanticGate),
		available:        v.AtLeast(34, 0),
		exact:            v.AtLeast(34, 0),
		precise:          v.AtLeast(35, 1),
		missingIsDeleted: v.AtLeast(36, 0),
		maxUnavailable:   p.On(maxUnavailableGate),
		brokenFirst:      v.AtLeast(37, 0),
		retention:        v.AtLeast(35, 0) || p.On(autoDeleteGate),
		start:            v.AtLeast(31, 0) || p.On(startOrdinalGate),
		index:            v.AtLeast(35, 0) || p.On(podIndexGate),
		conditions:       v.AtLeast(37, 0),
		completesAll:     v.AtLeast(37, 0),
		knowsRecreate:    v.AtLeast(37, 0),
		recreate:         p.On(recreateGate),
		readsBack:        p.On(staleGate),
	}
}
