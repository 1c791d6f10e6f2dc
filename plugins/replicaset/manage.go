package replicaset

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/expectations"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ranking"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// The limits of one sync: BurstReplicas of replica_set.go and
// SlowStartInitialBatchSize of controller_utils.go (v1.37.1).
const (
	burstReplicas = 500
	firstBatch    = 1
)

// manage mirrors manageReplicas (replica_set.go, v1.37.1).
func (s *sync) manage() {
	switch diff := len(s.claims.active) - s.set.want(); {
	case diff < 0:
		s.create(min(-diff, burstReplicas))
	case diff > 0:
		s.delete(min(diff, burstReplicas))
		s.deleteLater(diff)
	}
}

func (s *sync) delete(n int) {
	victims := s.victims(n)
	keys := make([]string, 0, len(victims))
	for _, a := range victims {
		keys = append(keys, a.Object.Namespace+"/"+a.Object.Name)
	}
	s.expected = expectations.ExpectDeletions(keys, s.now)
	s.expected.Dels = int64(n) // of the possible victims only some are expected
	for i, a := range victims {
		a.Write = s.deletePod(a.Object)
		victims[i] = a
	}
	s.d.Do(victims...)
	// Of a group that is refused as a whole, only those count that are asked for.
	s.expected.Dels = max(s.expected.Dels, int64(n-s.refusable(victims)))
}

// deleteLater says what later syncs delete where so many Pods are more than one sync may
// delete. PEERS change with each of them, so that what comes behind in the comparison does
// not tell.
func (s *sync) deleteLater(surplus int) {
	if surplus <= burstReplicas {
		return
	}
	for range surplus - burstReplicas {
		s.d.DeleteLater(0)
	}
	var ends []decision.Fate
	if surplus < len(s.claims.active) {
		ends = s.ends(surplus)
	}
	for i, item := range s.ranked.order.Items {
		row, end := &s.d.Ranking.Rows[i], decision.Doomed // with all others
		if ends != nil {
			end = ends[item]
		}
		if row.Fate == decision.Safe && end != decision.Safe {
			row.Lasts(end)
		}
	}
}

// ends are what becomes of the ranked Pods where so many go, as far as the criteria before
// PEERS tell.
func (s *sync) ends(surplus int) []decision.Fate {
	by := comparatorOf(s.behaviour, s.now)
	lasting := 0
	for by.steps[lasting].ID != CoLocatedFirst {
		lasting++
	}
	return fates(ranking.Sort(s.ranked.items, by.steps[:lasting]), surplus, len(s.ranked.items))
}

// deletePod returns the number of the request.
func (s *sync) deletePod(pod decision.Ref) int {
	err := answer(s.given.API.Delete, pod.Name)
	write := s.log.delete(pod, err)
	if err == nil {
		return write
	}
	s.expected.DeletionObserved(pod.Namespace + "/" + pod.Name)
	if s.err == nil && !errors.Is(err, cluster.ErrNotFound) {
		s.err = fmt.Errorf("unable to delete pods: %w", err)
	}
	return write
}

// refusable is how many deletions the API server refuses, if each group of
// possible victims is refused as a whole or not at all.
func (s *sync) refusable(victims []decision.Action) int {
	certain, group := 0, 0
	for _, a := range victims {
		switch {
		case answer(s.given.API.Delete, a.Object.Name) == nil:
		case a.Choice != nil:
			group = a.Choice.K
		default:
			certain++
		}
	}
	return certain + group
}

// victims are the deletions of n pods. When all go, upstream does not sort,
// and neither is a ranking claimed here.
func (s *sync) victims(n int) []decision.Action {
	if n == len(s.claims.active) {
		return deleteAll(s.claims.active)
	}
	var ranking *decision.Ranking
	ranking, s.ranked = s.rank(n)
	s.d.Rank(ranking)
	k, among := n, 0
	for _, row := range ranking.Rows {
		switch row.Fate {
		case decision.Doomed:
			k--
		case decision.AtRisk:
			among++
		}
	}
	actions := make([]decision.Action, 0, n-k+among)
	for _, row := range ranking.Rows {
		switch row.Fate { //exhaustive:enforce
		case decision.Doomed:
			actions = append(actions, deletion(row.Object, row.DecidedBy.Ruling))
		case decision.AtRisk:
			a := deletion(row.Object, *ranking.Undetermined)
			a.Certainty, a.Choice = decision.Possible, &decision.Choice{K: k, N: among}
			actions = append(actions, a)
		case decision.Safe:
		}
	}
	return actions
}

func deleteAll(pods []*corev1.Pod) []decision.Action {
	actions := make([]decision.Action, 0, len(pods))
	for _, p := range pods {
		actions = append(actions, deletion(ownership.RefTo(view.Pods, p), decision.Ruled(DeleteAll, decision.F(decision.KeyActive, len(pods)))))
	}
	return actions
}

func deletion(pod decision.Ref, why decision.Ruling) decision.Action {
	return decision.Action{Verb: decision.Delete, Object: pod, Count: 1, Certainty: decision.Certain, Ruling: why}
}
