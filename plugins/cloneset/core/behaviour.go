package core

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/inplace"
)

// Behaviour is what differs between releases and gates of the controller.
type Behaviour struct {
	// Rollback: pods may go back to the current revision (CloneSetPartitionRollback).
	Rollback bool
	// PreparingAsUpdate: pods in PreparingUpdate count as updated when scaling.
	PreparingAsUpdate bool
	// Release is how it updates in place.
	inplace.Release
	// RecreateOnClaims: a change of the volume claim templates forbids in-place.
	RecreateOnClaims bool
	// DropExpired: scale expectations are dropped when they time out.
	DropExpired bool
	// Budgets: each update asks its PodUnavailableBudget; since 1.6 one of a pod
	// that is not as its spec says passes unasked.
	Budgets, BudgetsCompare bool
	// DeletionBudgets: Kruise's webhook asks a pod's budget before a deletion.
	DeletionBudgets bool
	// Webhook: Kruise's webhook sees the pods that are created.
	Webhook bool
	// Exclude: pods in PreparingDelete don't count for scaling.
	Exclude bool
	// ShortHash: new pods carry the hash alone, without the set's name.
	ShortHash bool
	// StrictPromotion: the current revision is promoted only when there are as
	// many pods as wanted, since 1.7, 1.6.2 and 1.5.4.
	StrictPromotion bool
	// ScheduledNormal: a new pod becomes Normal once it is on a node, since 1.9.
	ScheduledNormal bool
	// StablePriority: pods of one priority keep their order, since 1.9; before,
	// their order is turned around in ways that the sort decides.
	StablePriority bool
	// Sidecars: restarts of sidecars order updates, since 1.9.
	Sidecars bool
	// RollbackPanics: going back to a revision without any annotation crashes
	// the manager, in 1.7 and 1.8.
	RollbackPanics bool
	// Recovers: a panic of a sync is its error, since 1.9; before, the manager
	// exits.
	Recovers bool
	// ReadsMinor: each update in place parses the API server's minor version as a
	// number and panics of any other, in 1.9.0 (ShouldUpdateResourceByResize of
	// pkg/client/registry.go; openkruise/kruise#2404, mended by #2504).
	ReadsMinor bool
	// OpenOnce: the readiness gate is opened in one try, since 1.9; before, a
	// conflict was tried again.
	OpenOnce bool
	// OnDelete, Progressing and StickyConditions came with 1.9.
	OnDelete, Progressing, StickyConditions bool
	// HearsStates: a pod in any state but Normal is taken for one that is being
	// updated in place, not only one with the readiness gate, since 1.8.
	HearsStates bool
	// HearsEnds: the end of a pod and the finalizers of the hook PreNormal are
	// listened to, since 1.9.
	HearsEnds bool
}

// BehaviourOf returns how a release with its gates behaves.
func BehaviourOf(k profile.Installed) Behaviour {
	v := k.Version
	return Behaviour{
		Rollback:          k.On(kruise.CloneSetPartitionRollback),
		PreparingAsUpdate: k.On(kruise.PreparingUpdateAsUpdate),
		Release:           inplace.ReleaseOf(k),
		RecreateOnClaims:  k.On(kruise.RecreateOnVCTChange),
		DropExpired:       k.On(kruise.ForceDeleteExpectation),
		Budgets:           k.On(kruise.UnavailableBudgetUpdate),
		BudgetsCompare:    v.AtLeast(6, 0),
		DeletionBudgets:   k.On(kruise.UnavailableBudgetDelete),
		Webhook:           k.On(kruise.PodWebhook),
		Exclude:           k.Flags[kruise.ExcludePreparingDelete] == "true",
		ShortHash:         k.On(kruise.CloneSetShortHash),
		StrictPromotion:   promotesStrictly(v),
		ScheduledNormal:   v.AtLeast(9, 0),
		StablePriority:    v.AtLeast(9, 0),
		Sidecars:          v.AtLeast(9, 0),
		RollbackPanics:    v.AtLeast(7, 0) && !v.AtLeast(9, 0),
		Recovers:          v.AtLeast(9, 0),
		ReadsMinor:        v.Minor == 9 && v.Patch == 0,
		OpenOnce:          v.AtLeast(9, 0),
		OnDelete:          v.AtLeast(9, 0),
		Progressing:       v.AtLeast(9, 0),
		StickyConditions:  v.AtLeast(9, 0),
		HearsStates:       v.AtLeast(8, 0),
		HearsEnds:         v.AtLeast(9, 0),
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
