package replicaset

import (
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// readsBack reports whether the controller of a kind waits for its caches to hold
// its own writes.
func readsBack(p profile.Profile, k view.Kind) bool {
	return behaviourOf(p, k.Kind == view.ReplicationControllers.Kind).readsBack
}

// stopBehind ends a sync that finds a cache older than what the controller wrote
// last (syncReplicaSet, v1.37.1): before anything else, and with an error.
func (s *sync) stopBehind() {
	var resources, errs []string
	for _, stale := range s.given.Behind {
		resources, errs = append(resources, stale.Resource.String()), append(errs, stale.Error())
	}
	s.stop(decision.Ruled(WritesNotRead, decision.F(keyResources, strings.Join(resources, " and "))), decision.Next{
		Ruling: decision.Ruled(RetryWithBackoff, decision.F(keyError, strings.Join(errs, " or "))), Requeue: decision.RequeueNotReadBack,
	})
}

// readBack are the writes that the caches must hold before the next sync
// (replica_set.go NewReplicaSetController and syncReplicaSet, v1.37.1). What
// the API server numbers them is not known before.
func (s *sync) readBack() (all []decision.Ruling) {
	if !s.behaviour.readsBack {
		return nil
	}
	note := func(k view.Kind, fact decision.Fact) {
		all = append(all, decision.Ruled(ReadsOwnWrites, decision.F(keyResource, k.GroupResource()), fact))
	}
	pods := 0
	for _, a := range s.d.Actions {
		if a.Verb == decision.Create || a.Verb == decision.Adopt {
			pods += a.Count
		}
	}
	if pods > 0 {
		note(view.Pods, decision.F(keyWrite, "the last of the "+format.Plural(pods, "Pod")+" that it creates or adopts"))
	}
	switch {
	case s.d.Status.Rule == StatusNotReached || s.d.Status.Rule == StatusRefused:
	case s.d.Status.Writes:
		note(view.ReplicaSets, decision.F(keyWrite, "the status that it writes"))
	case s.set.ResourceVersion != "":
		note(view.ReplicaSets, decision.At(keyVersion, s.set.ResourceVersion, "metadata.resourceVersion"))
	}
	return all
}
