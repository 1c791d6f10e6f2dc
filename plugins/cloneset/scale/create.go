package scale

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/revision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

// create mirrors createPods and NewVersionedPods (core/cloneset_core.go,
// v1.9.1): pods of the current revision come first, as many as it lacks.
func (s *scaling) create(d core.Diffs) {
	if d.ScaleUpNum > d.ScaleUpLimit {
		s.Limit(rules.ScaleUpLimited, decision.F(rules.KeyScaleUpNum, d.ScaleUpNum), decision.F(rules.KeyScaleUpLimit, d.ScaleUpLimit),
			decision.F(rules.KeyScaleMaxUnavailable, s.Limits.ScaleMaxUnavailable), decision.F(rules.KeyTotalUnavailable, d.TotalUnavailable))
	}
	n := d.ScaleUpLimit
	if n == 0 {
		return
	}
	s.Decision.Rollout.Creates = n
	ids := s.instanceIDs(n)
	review := s.review(n, d.ScaleUpNumOldRevision)
	sure, call := review.refuses(s.sure(n, ids), s.creations(n, &ids))
	c := slowly(n, sure, call)
	s.Outcome.ScaleFails(c.err)
	s.Chance.Doubt(s.admissionDoubts(review))
	s.countRefused(n, c)
	for _, why := range ids.blocked {
		if c.err != nil && c.err.Error() == why {
			s.Decision.TakeNames(ids.takenBy)
		}
	}
	s.Chance.Fail(c.refusedAmong(d.ScaleUpNumOldRevision))
	s.Chance.MeetName(ids.doubtful(n))
	old := min(c.created, d.ScaleUpNumOldRevision)
	if old > 0 && s.Limits.SameRevision {
		s.Limit(rules.PartitionOfOne, decision.At(rules.KeyPartition, s.Limits.Partition, s.Set.Ref.String()+" spec.updateStrategy.partition"),
			decision.F(rules.KeyRevision, s.Revisions.Update.Name))
		old = 0
	}
	names := s.freeNames(ids)
	s.createAction(old, d, s.Revisions.Current, ids, c, &names)
	s.createAction(c.created-old, d, s.Revisions.Update, ids, c, &names)
	if c.err == nil && len(s.Chance.Doubts) == 0 {
		s.Decision.CreateLater(s.missing(d) - n)
	}
	s.Record.Create(c.created, s.newVolumes(ids, c))
	s.Outcome.Scaled(c.created > 0)
}

// missing is how many Pods are created until there are as many as desired, where
// scaleStrategy.maxUnavailable lets this sync create fewer. How many a surge has in the end
// depends on the syncs between.
func (s *scaling) missing(d core.Diffs) int {
	return max(d.ScaleUpLimit, s.Limits.Replicas-d.CurrentTotalCount)
}

// countRefused adds refusals to what the counts in the first line are taken from.
func (s *scaling) countRefused(n int, c creation) {
	if c.created == c.attempted {
		return
	}
	s.Outcome.CreationFails(decision.Ruled(rules.CreateFailed, decision.F(rules.KeyRevision, s.Revisions.Update.Name), decision.F(decision.KeyAttempted, c.attempted),
		decision.F(rules.KeyToCreate, n), decision.F(decision.KeyBatches, join(c.batches)), decision.F(rules.KeyError, c.err.Error())))
	s.Decision.Counting(decision.Derived(decision.KeyCreations, c.created, "attempted in batches until one fails",
		decision.F(decision.KeyAttempted, c.attempted), decision.F(decision.KeyRefused, c.attempted-c.created), decision.F(decision.KeyBatches, join(c.batches)),
		decision.F(rules.KeyError, c.err.Error())))
}

func (s *scaling) createAction(count int, d core.Diffs, r *revision.Revision, ids instanceIDs, c creation, names *[]string) {
	if count == 0 {
		return
	}
	n, rule := d.ScaleUpLimit, rules.CreateOfRevision
	switch {
	case c.err != nil:
		rule = rules.CreateFailed
	case len(s.Chance.Doubts) > 0:
		rule = rules.CreationInDoubt
	case len(ids.reused) > 0:
		rule = rules.CreateReusingVolumes
	}
	facts := []decision.Fact{
		decision.F(rules.KeyRevision, r.Name), decision.F(rules.KeyToCreate, n), decision.F(rules.KeyScaleUpNum, s.missing(d)), decision.F(decision.KeyBatches, join(c.batches)),
		decision.F(rules.KeyClaims, len(s.Set.Spec.VolumeClaimTemplates)),
		decision.F(rules.KeyDoubts, strings.Join(s.Chance.Doubts, "; ")), decision.F(rules.KeyReused, format.List(ids.reused)), decision.F(rules.KeyFresh, n-ids.used), decision.F(rules.KeyFree, len(ids.reused)), decision.F(rules.KeyTaken, ids.used),
	}
	if c.err != nil {
		facts = append(facts, decision.F(decision.KeyAttempted, c.attempted), decision.F(rules.KeyError, c.err.Error()))
	}
	a := reconcile.Action(decision.Create, decision.Ref{APIVersion: "v1", Kind: "Pod", Namespace: s.Set.GetNamespace(), Name: s.Set.GetName() + "-…"}, decision.Ruled(rule, facts...))
	a.Count, a.Into = count, r.Name
	if len(s.Chance.Doubts) > 0 {
		a.Certainty = decision.Possible
	}
	if ids.doubtful(n) {
		a.Certainty, a.Choice = decision.Possible, &decision.Choice{K: count, N: n}
	}
	s.Does(a, s.creates(count, r, names, ids))
}

// instanceIDs are the IDs of the pods to create.
type instanceIDs struct {
	// reused are the free IDs of volume claims, of which so many are used.
	reused []string
	used   int
	// blocked are those with a name that is taken, and the API server's answer, and takenBy
	// what has the names.
	blocked map[string]string
	takenBy []decision.Ref
	// refused: no claim is created, and no pod.
	refused bool
}

// instanceIDs mirrors getOrGenAvailableIDs: the IDs of claims that no active
// pod has come first; of more than n, which ones is not deterministic.
func (s *scaling) instanceIDs(n int) instanceIDs {
	free := map[string]bool{}
	for _, v := range s.Volumes {
		if id := v.GetLabels()[api.InstanceLabel]; id != "" {
			free[id] = true
		}
	}
	for _, m := range s.Pods {
		delete(free, m.ID)
	}
	ids := instanceIDs{reused: slices.Sorted(maps.Keys(free)), used: min(n, len(free))}
	s.blockNames(&ids)
	return ids
}

// blockNames finds those that some Pod still has, one that finished, is being deleted, was
// released or is not its own: the API server refuses another of that name.
func (s *scaling) blockNames(ids *instanceIDs) {
	ids.blocked = map[string]string{}
	if len(ids.reused) == 0 {
		return
	}
	take := func(id string, k view.Kind, noun string, by metav1.Object) {
		ids.blocked[id] = fmt.Sprintf("%s %q already exists", k.Resource, by.GetName())
		ids.takenBy = append(ids.takenBy, ownership.RefTo(k, by))
		s.Limit(rules.NameTaken, decision.F(rules.KeyObject, noun+by.GetName()))
	}
	for _, p := range s.Reader.Metadata(s.Set.PodsNeed()) {
		id, ok := strings.CutPrefix(p.GetName(), s.Set.GetName()+"-")
		if ok && slices.Contains(ids.reused, id) {
			take(id, view.Pods, "Pod ", p)
		}
	}
	for _, v := range s.Set.VolumeClaims(s.Reader) {
		if id := s.instanceOf(v.GetName(), ids.reused); id != "" && !s.isOwnVolume(v.GetName()) {
			take(id, view.PersistentVolumeClaims, "volume claim ", v)
		}
	}
}

// instanceOf is the ID whose pod would create a claim of this name.
func (s *scaling) instanceOf(volume string, ids []string) string {
	for _, id := range ids {
		if slices.Contains(s.volumeNames(id), volume) {
			return id
		}
	}
	return ""
}

// volumeNames are those of an instance's claims (GetPersistentVolumeClaims).
func (s *scaling) volumeNames(id string) []string {
	var names []string
	for _, t := range s.Set.Spec.VolumeClaimTemplates {
		names = append(names, t.Name+"-"+s.Set.GetName()+"-"+id)
	}
	return names
}

func (s *scaling) isOwnVolume(name string) bool {
	return slices.ContainsFunc(s.Volumes, func(v metav1.Object) bool { return v.GetName() == name })
}

// newVolumes counts the claims that are created for the pods tried. Of more
// free IDs than pods, which are taken is not deterministic, and so is this number.
func (s *scaling) newVolumes(ids instanceIDs, c creation) int {
	if ids.refused {
		return 0
	}
	n := max(c.attempted-ids.used, 0) * len(s.Set.Spec.VolumeClaimTemplates)
	for _, id := range ids.reused[:min(ids.used, c.attempted)] {
		if strings.HasPrefix(ids.blocked[id], "persistentvolumeclaims") {
			continue // its claims fail before its pod is tried
		}
		for _, name := range s.volumeNames(id) {
			if !s.isOwnVolume(name) {
				n++
			}
		}
	}
	return n
}

// taken is the refusal of a creation whose name is taken. Pods are created in the
// order of their IDs, which is known only when none of them is fresh; else
// those with taken names count as the last ones.
func (ids instanceIDs) taken(n, call int) error {
	switch {
	case n < len(ids.reused):
	case n == len(ids.reused):
		if why, blocked := ids.blocked[ids.reused[call]]; blocked {
			return errors.New(why)
		}
	default:
		if last := n - call; last <= len(ids.blocked) {
			return errors.New(slices.Sorted(maps.Values(ids.blocked))[last-1])
		}
	}
	return nil
}

// creations answers for the call-th creation. A pod whose claims are refused is
// not tried.
func (s *scaling) creations(n int, ids *instanceIDs) func(int) error {
	if len(s.Set.Spec.VolumeClaimTemplates) > 0 {
		if err := cmp.Or(s.terminatingNamespace(), s.Refused(reconcile.Call{Verb: "create", Kind: "PersistentVolumeClaim"})); err != nil {
			s.Chance.Fail(ids.used > 0)
			ids.refused = true
			return func(int) error { return err }
		}
	}
	return func(call int) error {
		taken := ids.taken(n, call)
		if taken != nil && strings.HasPrefix(taken.Error(), "persistentvolumeclaims") {
			return taken // claims come before their pod
		}
		return cmp.Or(s.Refused(reconcile.Call{Verb: "create", Kind: "Pod", Index: call}), taken)
	}
}

// sure is how many of the first of n creations are accepted without a question:
// nobody answers for them, and their names are free.
func (s *scaling) sure(n int, ids instanceIDs) int {
	switch {
	case s.Given.Refuse != nil || n == len(ids.reused):
		return 0
	case n < len(ids.reused):
		return n
	default:
		return max(0, n-len(ids.blocked))
	}
}

// doubtful reports whether more or fewer of the creations may be refused.
func (ids instanceIDs) doubtful(n int) bool { return len(ids.blocked) > 0 && n != len(ids.reused) }

// creation is how the slow start of n creations goes.
type creation struct {
	batches            []int
	created, attempted int
	err                error
}

// refusedAmong reports whether a call was refused in the batch in which the first n
// pods end and others begin: its calls are made at once, and which of them is
// refused is not deterministic.
func (c creation) refusedAmong(n int) bool {
	return c.err != nil && c.attempted-c.batches[len(c.batches)-1] < n && n < c.attempted
}

// slowly mirrors DoItSlowly (utils/cloneset_utils.go, v1.9.1): batches double while
// all their calls succeed, and the first with a failure is the last. The first
// sure calls succeed: they are counted and not made, as there may be billions.
func slowly(n, sure int, call func(int) error) creation {
	var c creation
	for batch := min(n, 1); batch > 0 && c.err == nil; batch = min(2*batch, n-c.attempted) {
		c.batches = append(c.batches, batch)
		counted := max(0, min(batch, sure-c.attempted))
		c.attempted, c.created = c.attempted+counted, c.created+counted
		for range batch - counted {
			err := call(c.attempted)
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

// join lists batches as 1+2+4.
func join(batches []int) string {
	text := make([]string, len(batches))
	for i, b := range batches {
		text[i] = fmt.Sprint(b)
	}
	return strings.Join(text, "+")
}
