package deployment

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"

// behaviour is what differs between releases of the controller.
type behaviour struct {
	// byName: the pods of a Recreate are looked up by the kind, name and UID of
	// their controller reference, since 1.36; before, by UID among those that
	// match the Deployment's selector.
	byName bool
	// lastPod: of the Pods of a Recreate only the end of the last one enqueues
	// the Deployment, until 1.36; since 1.37 the end of each.
	lastPod bool
	// strictSelectors: one Deployment with an invalid selector keeps all from
	// being found for an orphaned ReplicaSet, until 1.23.
	strictSelectors bool
	// strictSizes: the size annotations of ReplicaSets are read as numbers from
	// 0 to 2147483647, and 0 as absent, since 1.32; before, as any integer.
	strictSizes bool
	// hasTerminating: status.terminatingReplicas exists, since 1.33.
	hasTerminating bool
	// cutNames: the name of a new set is cut to a length that the API server
	// accepts, since 1.34.
	cutNames bool
	// terminating: it is summed up (gate DeploymentReplicaSetTerminatingReplicas).
	terminating bool
}

func behaviourOf(p profile.Profile) behaviour {
	v := p.Kubernetes
	return behaviour{
		byName:          v.AtLeast(36, 0),
		lastPod:         !v.AtLeast(37, 0),
		strictSelectors: !v.AtLeast(24, 0),
		strictSizes:     v.AtLeast(32, 0),
		hasTerminating:  v.AtLeast(33, 0),
		cutNames:        v.AtLeast(34, 0),
		terminating:     p.On(profile.TerminatingReplicas),
	}
}
