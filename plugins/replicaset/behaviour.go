package replicaset

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"

// behaviour is what differs between releases of the controller.
type behaviour struct {
	// cost: the pod-deletion-cost annotation is read (gate PodDeletionCost).
	cost bool
	// buckets: ages compare in powers of two (gate LogarithmicScaleDown).
	buckets bool
	// sidecars: restarts of sidecars break ties of restarts, since 1.32.
	sidecars bool
	// lenientSiblings: a sibling with an invalid selector is skipped instead
	// of voiding all co-location ranks; and ReplicationControllers have no
	// siblings any more. Since 1.24.
	lenientSiblings bool
	// byName: pods are looked up by the kind, name and UID of their
	// controller reference, since 1.34.2; by UID alone before.
	byName bool
	// precise: a pod is available when minReadySeconds have passed exactly,
	// and the next look is timed by the youngest pod. Since 1.34.0.
	precise bool
	// hasTerminating: status.terminatingReplicas exists, since 1.33; before,
	// what is stored there is not seen.
	hasTerminating bool
	// terminating: it is counted.
	terminating bool
	// droppedTerminating: it is counted and then lost on the way, so that
	// every sync writes status. ReplicationControllers of 1.33 with the gate on.
	droppedTerminating bool
	// ownedFirst: pods are listed owned ones first, then orphans, since 1.34
	// (FilterPodsByOwner of controller_utils.go, v1.37.1); all in any order before.
	ownedFirst bool
	// insertion is the length up to which a list is sorted by insertion alone:
	// pdqsort's 12, and 6 before 1.25, the first release that was built with it.
	insertion int
	// readsBack: a sync waits until the caches hold the controller's own
	// writes, since 1.36. Never for ReplicationControllers.
	readsBack bool
}

func behaviourOf(p profile.Profile, rc bool) behaviour {
	v := p.Kubernetes
	counted := p.On(profile.TerminatingReplicas)
	return behaviour{
		cost:               p.On(profile.PodDeletionCost),
		buckets:            p.On(profile.LogarithmicScaleDown),
		sidecars:           v.AtLeast(32, 0),
		lenientSiblings:    v.AtLeast(24, 0),
		byName:             v.AtLeast(34, 2),
		precise:            v.AtLeast(34, 0),
		hasTerminating:     v.AtLeast(33, 0),
		terminating:        counted && !rc,
		droppedTerminating: counted && rc && !v.AtLeast(34, 0),
		ownedFirst:         v.AtLeast(34, 0),
		insertion:          insertion(v),
		readsBack:          p.On(profile.StaleConsistency) && !rc,
	}
}

func insertion(v profile.Version) int {
	if v.AtLeast(25, 0) {
		return 12
	}
	return 6
}
