package deployment

import (
	"errors"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

const rollbackPath = "metadata.annotations[" + appsv1.DeprecatedRollbackTo + "]"

// rollbackTo reads the deprecated annotation; one that is no number counts for
// nothing (getRollbackTo of rollback.go, v1.37.1).
func rollbackTo(d *appsv1.Deployment) (int64, bool) {
	n, err := strconv.ParseInt(d.Annotations[appsv1.DeprecatedRollbackTo], 10, 64)
	return n, err == nil
}

// rollback mirrors the function of that name (rollback.go, v1.37.1): the
// template of the revision asked for goes into the Deployment, and a later
// sync rolls it out.
func (s *sync) rollback(revision int64) error {
	if err := s.ensureNew(true); err != nil {
		return err
	}
	all := s.sets.all()
	if revision == 0 {
		if revision = lastRevision(all); revision == 0 {
			return s.endRollback(RollbackNoLast)
		}
	}
	for _, rs := range all {
		if v, ok := revisionOf(rs); ok && v == revision {
			return s.rollbackToSet(rs, revision)
		}
	}
	return s.endRollback(RollbackNotFound, decision.F(keyRevision, revision))
}

// lastRevision mirrors LastRevision: the second highest.
func lastRevision(sets []*appsv1.ReplicaSet) int64 {
	highest, second := int64(0), int64(0)
	for _, rs := range sets {
		v, ok := revisionOf(rs)
		switch {
		case !ok:
		case v >= highest:
			highest, second = v, highest
		case v > second:
			second = v
		}
	}
	return second
}

func (s *sync) rollbackToSet(rs *appsv1.ReplicaSet, revision int64) error {
	facts := []decision.Fact{decision.F(keyRevision, revision), decision.F(keySet, rs.Name)}
	if sameTemplate(&s.d.Spec.Template, &rs.Spec.Template) {
		return s.endRollback(RollbackSameTemplate, facts...)
	}
	s.d.Spec.Template = *withoutHash(rs.Spec.Template.DeepCopy())
	kept := map[string]string{}
	for k, v := range s.d.Annotations {
		if own[k] {
			kept[k] = v
		}
	}
	for k, v := range rs.Annotations {
		if !own[k] {
			kept[k] = v
		}
	}
	s.d.Annotations = kept
	return s.endRollback(RollbackDone, facts...)
}

// endRollback writes the Deployment without the annotation.
func (s *sync) endRollback(rule string, facts ...decision.Fact) error {
	delete(s.d.Annotations, appsv1.DeprecatedRollbackTo)
	if err := s.server.send(writeDeployment(s.d.DeepCopy()), s.d); err != nil {
		return err
	}
	s.server.touch(s.d.UID)
	s.out.Do(decision.Action{
		Verb: decision.Modify, Object: s.ref, Count: 1, Write: len(s.server.writes), Certainty: decision.Certain, Ruling: decision.Ruled(rule, facts...),
	})
	return nil
}

// errNotSettled is the error of a step that upstream gives up without a word.
var errNotSettled = errors.New("an old ReplicaSet has more available than desired Pods")
