package replicaset

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/expectations"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
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
	}
}

// creation is how the slow start of n creations goes.
type creation struct {
	batches []int
	// created counts pods that come to be, accepted also those that a
	// terminating namespace refuses and the controller takes for created.
	created, accepted, attempted int
	err                          error
}

// slowStart mirrors slowStartBatch: batches double while all their calls
// succeed, and the first batch with a failure is the last.
func slowStart(n int, call func(int) error) creation {
	var c creation
	for batch := min(n, firstBatch); batch > 0 && c.err == nil; batch = min(2*batch, n-c.attempted) {
		c.batches = append(c.batches, batch)
		for range batch {
			c.attempt(answer(call, c.attempted))
		}
	}
	return c
}

func (c *creation) attempt(err error) {
	c.attempted++
	switch {
	case err == nil:
		c.created++
		c.accepted++
	case isAny(err, ErrNamespaceTerminating):
		c.accepted++
	case c.err == nil:
		c.err = err
	}
}

func (s *sync) create(n int) {
	s.expected = expectations.ExpectCreations(s.expected, int64(n), s.now)
	call := s.given.API.Create
	if call == nil {
		call = s.foretoldCreate()
	}
	c := slowStart(n, call)
	s.expected.CreationObserved(int64(n - c.accepted))
	s.err = c.err
	if c.created > 0 {
		s.d.Actions = append(s.d.Actions, s.createAction(n, c))
	}
	s.d.Count = decision.Derived(s.d.Count.Name, s.d.Count.Value, s.d.Count.Op, append(s.d.Count.Of, decision.Derived(
		"creations", c.created, "attempted in batches until one fails",
		decision.F("attempted", c.attempted), decision.F("refused", c.attempted-c.created), decision.F("batches", join(c.batches)),
	))...)
}

func (s *sync) createAction(n int, c creation) decision.Action {
	missing := s.set.want() - len(s.claims.active)
	rule := CreateMissing
	switch {
	case c.err != nil:
		rule = CreateUntilRefused
	case missing > burstReplicas:
		rule = CreateBurst
	}
	facts := []decision.Fact{
		decision.Derived("missing", missing, "spec.replicas − active"),
		decision.F("toCreate", n), decision.F("attempted", c.attempted), decision.F("batches", join(c.batches)),
		decision.At("ownerReference", s.set.ref.String(), "metadata.ownerReferences[0]"),
	}
	if c.err != nil {
		facts = append(facts, decision.F("error", c.err.Error()))
	}
	return decision.Action{
		Verb: decision.Create, Count: c.created, Certainty: decision.Certain,
		Object: decision.Ref{APIVersion: "v1", Kind: "Pod", Namespace: s.set.Namespace, Name: s.set.Name + "-…"},
		Ruling: decision.Ruled(rule, facts...),
	}
}

// join lists batches as 1+2+4.
func join(batches []int) string {
	text := make([]string, len(batches))
	for i, b := range batches {
		text[i] = fmt.Sprint(b)
	}
	return strings.Join(text, "+")
}

func (s *sync) delete(n int) {
	victims := s.victims(n)
	var keys []string
	for _, a := range victims {
		keys = append(keys, a.Object.Namespace+"/"+a.Object.Name)
	}
	s.d.Actions = append(s.d.Actions, victims...)
	s.expected = expectations.ExpectDeletions(keys, s.now)
	s.expected.Dels = int64(n) // of the possible victims only some are expected
	for _, a := range victims {
		s.deletePod(a.Object)
	}
}

func (s *sync) deletePod(pod decision.Ref) {
	err := answer(s.given.API.Delete, pod.Name)
	if err == nil {
		return
	}
	s.expected.DeletionObserved(pod.Namespace + "/" + pod.Name)
	if s.err == nil && !isAny(err, ErrNotFound) {
		s.err = err
	}
}

// victims are the deletions of n pods. When all go, upstream does not sort,
// and neither is a ranking claimed here.
func (s *sync) victims(n int) []decision.Action {
	if n == len(s.claims.active) {
		return deleteAll(s.claims.active)
	}
	ranked := s.rank(n)
	s.d.Ranking = ranked
	var actions []decision.Action
	k, among := n, 0
	for _, row := range ranked.Rows {
		switch row.Fate {
		case decision.Doomed:
			k--
		case decision.AtRisk:
			among++
		}
	}
	for _, row := range ranked.Rows {
		switch row.Fate {
		case decision.Doomed:
			actions = append(actions, deletion(row.Object, row.DecidedBy.Ruling))
		case decision.AtRisk:
			a := deletion(row.Object, *ranked.Undetermined)
			a.Certainty, a.Choice = decision.Possible, &decision.Choice{K: k, N: among}
			actions = append(actions, a)
		}
	}
	return actions
}

func deleteAll(pods []*corev1.Pod) []decision.Action {
	actions := make([]decision.Action, 0, len(pods))
	for _, p := range pods {
		actions = append(actions, deletion(ownership.RefTo(view.Pods, p), decision.Ruled(DeleteAll, decision.F("active", len(pods)))))
	}
	return actions
}

func deletion(pod decision.Ref, why decision.Ruling) decision.Action {
	return decision.Action{Verb: decision.Delete, Object: pod, Count: 1, Certainty: decision.Certain, Ruling: why}
}
