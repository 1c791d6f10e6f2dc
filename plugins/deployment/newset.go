package deployment

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// UnknownHash stands for the template's hash. It is made from the Go types of
// the API as the controller manager was compiled with, so that a program of
// another version can't know it.
const UnknownHash = "<hash>"

// ensureNew mirrors getAllReplicaSetsAndSyncRevision and getNewReplicaSet
// (sync.go, v1.37.1). Syncs come here up to three times, and each starts again
// from the set as it was read.
func (s *sync) ensureNew(create bool) error {
	var err error
	switch {
	case s.sets.existing != nil:
		s.sets.newRS, err = s.refresh(s.sets.existing)
	case create:
		s.sets.newRS, err = s.createNew()
	}
	return err
}

// nextRevision is one more than the highest of the old sets.
func (s *sync) nextRevision() int64 {
	highest := int64(0)
	for _, rs := range s.sets.oldRSs {
		if v, ok := revisionOf(rs); ok {
			highest = max(highest, v)
		}
	}
	return highest + 1
}

// refresh brings the existing new set up to date. When that takes a write, the
// Deployment's own revision has to wait for another sync.
func (s *sync) refresh(existing *appsv1.ReplicaSet) (*appsv1.ReplicaSet, error) {
	rs := existing.DeepCopy()
	next := s.nextRevision()
	annotated := annotate(s.d, rs, next)
	late := rs.Spec.MinReadySeconds != s.d.Spec.MinReadySeconds
	if annotated || late {
		rs.Spec.MinReadySeconds = s.d.Spec.MinReadySeconds
		stored, err := s.server.updateSet(existing, rs)
		if err != nil {
			return nil, err
		}
		s.act(decision.Modify, existing, decision.Ruled(SyncNewSet, refreshFacts(existing, rs)...))
		s.wrote(stored)
		return stored, nil
	}
	needed, news := s.setRevision(rs.Annotations[revisionKey]), ""
	if hasDeadline(s.d) && condition(s.d.Status.Conditions, appsv1.DeploymentProgressing) == nil {
		s.setCondition(&s.d.Status, s.progressing(corev1.ConditionTrue, "FoundNewReplicaSet", fmt.Sprintf("Found new replica set %q", rs.Name)))
		needed, news = true, NewSetFound
	}
	if needed {
		if err := s.updateStatus(news); err != nil {
			return nil, err
		}
	}
	return rs, nil
}

// setRevision puts the new set's revision on the Deployment.
func (s *sync) setRevision(revision string) bool {
	if s.d.Annotations == nil {
		s.d.Annotations = map[string]string{}
	}
	if s.d.Annotations[revisionKey] == revision {
		return false
	}
	s.d.Annotations[revisionKey] = revision
	return true
}
