package cloneset

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// create mirrors createPods and NewVersionedPods (core/cloneset_core.go,
// v1.9.1): pods of the current revision come first, as many as it lacks.
func (s *sync) create(d Diffs) {
	if d.ScaleUpNum > d.ScaleUpLimit {
		s.limit(ScaleUpLimited, decision.F("scaleUpNum", d.ScaleUpNum), decision.F("scaleUpLimit", d.ScaleUpLimit),
			decision.F("scaleMaxUnavailable", s.limits.ScaleMaxUnavailable), decision.F("totalUnavailable", d.TotalUnavailable))
	}
	n := d.ScaleUpLimit
	if n == 0 {
		return
	}
	ids := s.instanceIDs(n)
	c := slowly(n, ids.orTaken(n, s.given.API.Create))
	s.scaleErr = c.err
	old := min(c.created, d.ScaleUpNumOldRevision)
	s.createAction(old, n, s.revisions.current, ids, c)
	s.createAction(c.created-old, n, s.revisions.update, ids, c)
	s.record.creates = c.created
	s.record.claims = max(0, c.created*len(s.set.spec.VolumeClaimTemplates)-len(ids.volumes))
	s.scaling = c.created > 0
}

func (s *sync) createAction(count, n int, r *revision, ids instanceIDs, c creation) {
	if count == 0 {
		return
	}
	rule := CreateOfRevision
	switch {
	case c.err != nil:
		rule = CreateFailed
	case len(ids.reused) > 0:
		rule = CreateReusingVolumes
	}
	facts := []decision.Fact{
		decision.F("revision", r.name), decision.F("toCreate", n), decision.F("batches", join(c.batches)),
		decision.F("claims", len(s.set.spec.VolumeClaimTemplates)),
		decision.F("reused", list(ids.reused)), decision.F("fresh", n-ids.taken), decision.F("free", len(ids.reused)), decision.F("taken", ids.taken),
	}
	if c.err != nil {
		facts = append(facts, decision.F("attempted", c.attempted), decision.F("error", c.err.Error()))
	}
	a := action(decision.Create, decision.Ref{APIVersion: "v1", Kind: "Pod", Namespace: s.set.GetNamespace(), Name: s.set.GetName() + "-…"}, decision.Ruled(rule, facts...))
	a.Count = count
	if ids.doubtful(n) {
		a.Certainty, a.Choice = decision.Possible, &decision.Choice{K: count, N: n}
	}
	s.d.Actions = append(s.d.Actions, a)
}

// instanceIDs are the IDs of the pods to create.
type instanceIDs struct {
	// reused are the free IDs of volume claims, of which taken are used;
	// volumes are the claims that carry them.
	reused, volumes []string
	taken           int
	// blocked are those whose name another pod still bears.
	blocked map[string]string
}

// instanceIDs mirrors getOrGenAvailableIDs: the IDs of claims that no active
// pod has come first; of more than n, which ones is chance.
func (s *sync) instanceIDs(n int) instanceIDs {
	free := map[string]bool{}
	for _, v := range s.claims.volumes {
		if id := v.GetLabels()[instanceLabel]; id != "" {
			free[id] = true
		}
	}
	for _, m := range s.pods {
		delete(free, m.id)
	}
	ids := instanceIDs{reused: slices.Sorted(maps.Keys(free)), taken: min(n, len(free))}
	for _, v := range s.claims.volumes {
		if free[v.GetLabels()[instanceLabel]] {
			ids.volumes = append(ids.volumes, v.GetName())
		}
	}
	ids.blocked = s.blockedNames(ids.reused)
	return ids
}

// blockedNames are those that some pod still bears, one that finished, is
// being deleted or was released: the API server refuses another of that name.
func (s *sync) blockedNames(ids []string) map[string]string {
	blocked := map[string]string{}
	if len(ids) == 0 {
		return blocked
	}
	for _, p := range s.r.Metadata(s.podsNeed()) {
		id, ok := strings.CutPrefix(p.GetName(), s.set.GetName()+"-")
		if ok && slices.Contains(ids, id) {
			blocked[id] = p.GetName()
			s.limit(NameTaken, decision.F("pod", p.GetName()))
		}
	}
	return blocked
}

// orTaken refuses the creations whose names are taken. Pods are created in the
// order of their IDs, which is known only when none of them is fresh; else
// those with taken names count as the last ones.
func (ids instanceIDs) orTaken(n int, call func(int) error) func(int) error {
	if call != nil || len(ids.blocked) == 0 || n < len(ids.reused) {
		return call
	}
	refused := func(pod string) error { return fmt.Errorf("pods %q already exists", pod) }
	if n == len(ids.reused) {
		return func(call int) error {
			if pod, taken := ids.blocked[ids.reused[call]]; taken {
				return refused(pod)
			}
			return nil
		}
	}
	names := slices.Sorted(maps.Values(ids.blocked))
	return func(call int) error {
		if last := n - call; last <= len(names) {
			return refused(names[last-1])
		}
		return nil
	}
}

// doubtful tells whether more or fewer of the creations may be refused.
func (ids instanceIDs) doubtful(n int) bool { return len(ids.blocked) > 0 && n != len(ids.reused) }

// creation is how the slow start of n creations goes.
type creation struct {
	batches            []int
	created, attempted int
	err                error
}

// slowly mirrors DoItSlowly (utils/cloneset_utils.go): batches double while
// all their calls succeed, and the first with a failure is the last.
func slowly(n int, call func(int) error) creation {
	var c creation
	for batch := min(n, 1); batch > 0 && c.err == nil; batch = min(2*batch, n-c.attempted) {
		c.batches = append(c.batches, batch)
		for range batch {
			err := answer(call, c.attempted)
			c.attempted++
			if err == nil {
				c.created++
			} else if c.err == nil {
				c.err = err
			}
		}
	}
	return c
}
