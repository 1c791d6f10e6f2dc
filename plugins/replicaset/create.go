package replicaset

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/expectations"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
)

// creation is how the slow start of n creations goes.
type creation struct {
	batches []int
	// created counts pods that come to be, accepted also those that a
	// terminating namespace refuses and the controller takes for created.
	created, accepted, attempted int
	// err is the first refusal that the controller takes for one, refusal the first of
	// all.
	err, refusal error
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
	c.refusal = cmp.Or(c.refusal, err)
	switch {
	case err == nil:
		c.created++
		c.accepted++
	case errors.Is(err, cluster.ErrNamespaceTerminating):
		c.accepted++
	case c.err == nil:
		c.err = err
	}
}

func (s *sync) create(n int) {
	s.expected = expectations.ExpectCreations(s.expected, int64(n), s.now)
	c := slowStart(n, s.createCall())
	s.expected.CreationObserved(int64(n - c.accepted))
	s.err, s.refusal = c.err, c.refusal
	s.doubts = slices.Concat(s.admissionDoubts(n), s.mayAdopt(), s.scaledByHand())
	if c.created > 0 {
		a := s.createAction(n, c)
		a.Write = s.log.create(s, c.created, nil)
		s.d.Do(a)
	}
	if refused := c.attempted - c.created; refused > 0 {
		s.log.create(s, refused, c.refusal)
	}
	of := []decision.Fact{decision.F(decision.KeyAttempted, c.attempted), decision.F(decision.KeyRefused, c.attempted-c.created), decision.F(decision.KeyBatches, join(c.batches))}
	if len(s.doubts) > 0 {
		of = append(of, decision.F(keyDoubts, strings.Join(s.doubts, "; ")))
	}
	s.d.Counting(decision.Derived(decision.KeyCreations, c.created, "attempted in batches until one fails", of...))
}

// createCall answers creations. RealPodControl refuses a template without
// labels itself (controller_utils.go createPods, v1.37.1).
func (s *sync) createCall() func(int) error {
	switch {
	case len(s.set.Spec.Template.Labels) == 0:
		return func(int) error { return errNoLabels }
	case s.given.API.Create != nil:
		return s.given.API.Create
	default:
		return s.predictedCreate()
	}
}

func (s *sync) createAction(n int, c creation) decision.Action {
	missing := s.set.want() - len(s.claims.active)
	rule, certainty := CreateMissing, decision.Certain
	if len(s.doubts) > 0 {
		rule, certainty = CreateIfAdmitted, decision.Possible
	}
	before := s.refusedBefore()
	switch {
	case c.err != nil:
		rule = CreateUntilRefused
	case before != "":
		rule, certainty = CreateAfterRefusal, decision.Possible
	case len(s.doubts) > 0:
	case missing > burstReplicas:
		rule = CreateBurst
	}
	facts := []decision.Fact{
		decision.Derived(keyMissing, missing, "spec.replicas − active"),
		decision.F(keyToCreate, n), decision.F(decision.KeyAttempted, c.attempted), decision.F(decision.KeyBatches, join(c.batches)),
		decision.At(keyOwnerReference, s.set.ref.String(), "metadata.ownerReferences[0]"),
	}
	if c.err != nil {
		facts = append(facts, decision.F(keyError, c.err.Error()))
	}
	if len(s.doubts) > 0 {
		facts = append(facts, decision.F(keyDoubts, strings.Join(s.doubts, "; ")))
	}
	if rule == CreateAfterRefusal {
		facts = append(facts, decision.F(keyRefusedBy, before))
	}
	return decision.Action{
		Verb: decision.Create, Count: c.created, Certainty: certainty,
		Object: decision.Ref{APIVersion: "v1", Kind: "Pod", Namespace: s.set.Namespace, Name: ownership.Prefix(s.set.Name) + "…"},
		Ruling: decision.Ruled(rule, facts...),
	}
}

// refusedBefore is what refused the last creation, for a reason that can't be asked again;
// empty for nothing: the condition would be gone after one that was not refused.
func (t *target) refusedBefore() string {
	c := replicaFailure(t.set.Status.Conditions)
	if c == nil || c.Reason != failedCreate {
		return ""
	}
	why, found := health.RefusedBefore(t.r, t.creator(nil, &decision.Replicas{}), health.Options{Now: t.now})
	if !found || health.Retried(why) {
		return ""
	}
	return why.Label
}

// join lists batches as 1+2+4.
func join(batches []int) string {
	text := make([]string, len(batches))
	for i, b := range batches {
		text[i] = fmt.Sprint(b)
	}
	return strings.Join(text, "+")
}
