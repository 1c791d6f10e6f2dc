package cloneset

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/inplace"
)

// behaviour is what differs between releases and gates of the controller.
type behaviour struct {
	// rollback: pods may go back to the current revision (CloneSetPartitionRollback).
	rollback bool
	// preparingAsUpdate: pods in PreparingUpdate count as updated when scaling.
	preparingAsUpdate bool
	inplace.Release
	// recreateOnClaims: a change of the volume claim templates forbids in-place.
	recreateOnClaims bool
	// dropExpired: scale expectations are dropped when they time out.
	dropExpired bool
	// budgets: each update asks its PodUnavailableBudget; since 1.6 one of a pod
	// that is not as its spec says passes unasked.
	budgets, budgetsCompare bool
	// deletionBudgets: Kruise's webhook asks a pod's budget before a deletion.
	deletionBudgets bool
	// webhook: Kruise's webhook sees the pods that are created.
	webhook bool
	// exclude: pods in PreparingDelete don't count for scaling.
	exclude bool
	// shortHash: new pods carry the hash alone, without the set's name.
	shortHash bool
	// strictPromotion: the current revision is promoted only when there are as
	// many pods as wanted, since 1.7, 1.6.2 and 1.5.4.
	strictPromotion bool
	// scheduledNormal: a new pod becomes Normal once it is on a node, since 1.9.
	scheduledNormal bool
	// stablePriority: pods of one priority keep their order, since 1.9; before,
	// their order is turned around in ways that the sort decides.
	stablePriority bool
	// sidecars: restarts of sidecars order updates, since 1.9.
	sidecars bool
	// rollbackPanics: going back to a revision without any annotation crashes
	// the manager, in 1.7 and 1.8.
	rollbackPanics bool
	// recovers: a panic of a sync is its error, since 1.9; before, the manager
	// exits.
	recovers bool
	// readsMinor: each update in place parses the API server's minor version as a
	// number and panics of any other, in 1.9.0 (ShouldUpdateResourceByResize of
	// pkg/client/registry.go; openkruise/kruise#2404, mended by #2504).
	readsMinor bool
	// openOnce: the readiness gate is opened in one try, since 1.9; before, a
	// conflict was tried again.
	openOnce bool
	// onDelete, progressing and stickyConditions came with 1.9.
	onDelete, progressing, stickyConditions bool
	// hearsStates: a pod in any state but Normal is taken for one that is being
	// updated in place, not only one with the readiness gate, since 1.8.
	hearsStates bool
	// hearsEnds: the end of a pod and the finalizers of the hook PreNormal are
	// listened to, since 1.9.
	hearsEnds bool
}

func behaviourOf(k profile.Kruise) behaviour {
	v := k.Version
	return behaviour{
		rollback:          k.On(profile.CloneSetPartitionRollback),
		preparingAsUpdate: k.On(profile.PreparingUpdateAsUpdate),
		Release:           inplace.ReleaseOf(k),
		recreateOnClaims:  k.On(profile.RecreateOnVCTChange),
		dropExpired:       k.On(profile.ForceDeleteExpectation),
		budgets:           k.On(profile.UnavailableBudgetUpdate),
		budgetsCompare:    v.AtLeast(6, 0),
		deletionBudgets:   k.On(profile.UnavailableBudgetDelete),
		webhook:           k.On(profile.PodWebhook),
		exclude:           k.ExcludePreparingDelete,
		shortHash:         k.On(profile.CloneSetShortHash),
		strictPromotion:   promotesStrictly(v),
		scheduledNormal:   v.AtLeast(9, 0),
		stablePriority:    v.AtLeast(9, 0),
		sidecars:          v.AtLeast(9, 0),
		rollbackPanics:    v.AtLeast(7, 0) && !v.AtLeast(9, 0),
		recovers:          v.AtLeast(9, 0),
		readsMinor:        v.Minor == 9 && v.Patch == 0,
		openOnce:          v.AtLeast(9, 0),
		onDelete:          v.AtLeast(9, 0),
		progressing:       v.AtLeast(9, 0),
		stickyConditions:  v.AtLeast(9, 0),
		hearsStates:       v.AtLeast(8, 0),
		hearsEnds:         v.AtLeast(9, 0),
	}
}

func promotesStrictly(v profile.Version) bool {
	switch v.Minor {
	case 5:
		return v.AtLeast(5, 4)
	case 6:
		return v.AtLeast(6, 2)
	default:
		return v.AtLeast(7, 0)
	}
}
