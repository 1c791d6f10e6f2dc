package statefulset

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/statefulset/revision"
)

// history are the ControllerRevisions of the StatefulSet.
type history struct {
	// listed are its own and those without a controller, the oldest first.
	listed []*appsv1.ControllerRevision
	// unread: they could not be read.
	unread bool
	// update is the one that Pods are updated to, current the one that they come from.
	update, current *version
	// replaced is a revision that the update revision is known not to be, where it was not
	// read and has no name.
	replaced string
	// rule says how update comes about, number is its number then.
	rule   string
	number int64
	// collisions is the count of names that were taken.
	collisions int32
	// truncated are those that are deleted.
	truncated []*appsv1.ControllerRevision
}

// version is a revision with the template that it restores.
type version struct {
	*appsv1.ControllerRevision
	template *corev1.PodTemplateSpec
}

// listRevisions mirrors ListControllerRevisions (pkg/controller/history/
// controller_history.go, v1.37.1).
func (s *reconcile) listRevisions() {
	h, need := &s.history, s.revisionsNeed()
	for _, cr := range view.List[*appsv1.ControllerRevision](s.r, need, s.selector) {
		ref := metav1.GetControllerOfNoCopy(cr)
		ours := ref == nil || ref.UID == s.set.UID && (!s.behaviour.revisionsByName || ref.Kind == view.StatefulSets.Kind && ref.Name == s.set.Name)
		if ours {
			h.listed = append(h.listed, cr)
		}
	}
	need.Detail, need.Selector = view.Full, view.SelectorText(s.selector)
	h.unread = s.r.Err(need) != nil
	slices.SortStableFunc(h.listed, revision.Compare)
}

// adoptRevisions mirrors adoptOrphanRevisions (stateful_set.go, v1.37.1).
func (s *reconcile) adoptRevisions() error {
	asked := false
	for _, cr := range s.history.listed {
		if metav1.GetControllerOfNoCopy(cr) != nil {
			continue
		}
		if !asked {
			if err := s.rereads(); err != nil {
				return fmt.Errorf("can't adopt ControllerRevisions: %w", err)
			}
			asked = true
		}
		adopter := ownership.Claimer{Ref: s.ref, Selector: s.selector}
		v := adopter.Claim(cr)
		w := object(cluster.Patch, view.ControllerRevisions, cr)
		w.Patch, w.Stored = v.Patch, func(now metav1.Object) metav1.Object { return ownership.With(now, reference(s.set)) }
		if err := s.server.send(w); err != nil {
			return err
		}
	}
	return nil
}

// findRevisions mirrors getStatefulSetRevisions (stateful_set_control.go, v1.37.1).
func (s *reconcile) findRevisions() error {
	h := &s.history
	if c := s.set.Status.CollisionCount; c != nil {
		h.collisions = *c
	}
	if h.unread {
		return s.nameRevisions()
	}
	if err := s.findUpdate(); err != nil {
		return err
	}
	h.current = h.update
	for _, cr := range h.listed {
		if cr.Name == s.set.Status.CurrentRevision {
			return s.restore(&h.current, cr)
		}
	}
	return nil
}

// restore finds the template of a revision. Errors: data that is no template.
func (s *reconcile) restore(to **version, cr *appsv1.ControllerRevision) error {
	t, err := revision.Template(cr.Data.Raw)
	if err != nil {
		return fmt.Errorf("controllerrevision %s/%s: %w", cr.Namespace, cr.Name, err)
	}
	if t == nil {
		t = &s.set.Spec.Template
	}
	*to = &version{cr, t}
	return nil
}

// findUpdate finds the revision that Pods are updated to, and stores it where that is
// needed.
func (s *reconcile) findUpdate() error {
	h := &s.history
	fresh, err := s.newRevision()
	if err != nil {
		return err
	}
	last := len(h.listed) - 1
	equal := -1
	for i, cr := range h.listed {
		if s.equal(cr, fresh) {
			equal = i
		}
	}
	switch {
	case equal >= 0 && s.equal(h.listed[last], h.listed[equal]):
		h.rule = RevisionCurrentTemplate
		return s.use(h.listed[last])
	case equal >= 0:
		return s.rollBack(h.listed[equal], fresh.Revision)
	case last >= 0 && s.behaviour.semantic && revision.Restores(h.listed[last].Data.Raw, fresh.Data.Raw, s.behaviour.version):
		h.rule = RevisionSameMeaning
		return s.use(h.listed[last])
	}
	return s.createRevision(fresh)
}

// use takes a stored revision.
func (s *reconcile) use(cr *appsv1.ControllerRevision) error {
	h := &s.history
	h.number = cr.Revision
	return s.restore(&h.update, cr)
}

// equal mirrors EqualRevision (pkg/controller/history/controller_history.go, v1.37.1).
func (s *reconcile) equal(a, b *appsv1.ControllerRevision) bool {
	if s.behaviour.hashLabels && revision.OtherHash(a, b) {
		return false
	}
	return bytes.Equal(revision.Canonical(a.Data.Raw), revision.Canonical(b.Data.Raw))
}

// newRevision mirrors newRevision (stateful_set_utils.go) and NewControllerRevision
// (pkg/controller/history/controller_history.go, v1.37.1).
func (s *reconcile) newRevision() (*appsv1.ControllerRevision, error) {
	data, err := revision.Patch(&s.set.Spec.Template, s.behaviour.version)
	if err != nil {
		return nil, err
	}
	hash := revision.Hash(data, s.history.collisions)
	labels := map[string]string{}
	maps.Copy(labels, s.set.Spec.Template.Labels)
	labels[revision.HashLabel] = hash
	annotations := map[string]string{}
	maps.Copy(annotations, s.set.Annotations)
	number := int64(1)
	if n := len(s.history.listed); n > 0 {
		number = s.history.listed[n-1].Revision + 1
	}
	return &appsv1.ControllerRevision{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: s.set.Namespace, Name: revision.Name(s.set.Name, hash), Labels: labels, Annotations: annotations,
			OwnerReferences: []metav1.OwnerReference{reference(s.set)},
		},
		Revision: number, Data: runtime.RawExtension{Raw: data},
	}, nil
}

// rollBack mirrors UpdateControllerRevision (pkg/controller/history/
// controller_history.go, v1.37.1): an older revision gets the highest number.
func (s *reconcile) rollBack(cr *appsv1.ControllerRevision, number int64) error {
	h := &s.history
	h.rule, h.number = RevisionOlderTemplate, number
	next := cr.DeepCopy()
	next.Revision = number
	err := onConflict(backoffSteps, func() error { return s.server.send(object(cluster.Update, view.ControllerRevisions, next)) })
	if err != nil {
		return err
	}
	return s.restore(&s.history.update, next)
}

// mostCollisions bounds the names that are tried: each has another hash.
const mostCollisions = 100

// createRevision mirrors CreateControllerRevision (same file).
func (s *reconcile) createRevision(fresh *appsv1.ControllerRevision) error {
	h := &s.history
	h.rule, h.number = RevisionNewTemplate, fresh.Revision
	for range mostCollisions {
		next := fresh.DeepCopy()
		next.Name = s.revisionName(fresh.Data.Raw)
		err := s.server.send(object(cluster.Create, view.ControllerRevisions, next))
		if err == nil {
			return s.restore(&h.update, next)
		}
		if !errors.Is(err, cluster.ErrAlreadyExists) {
			return err
		}
		taken, err := s.named(next.Name)
		if err != nil {
			return err
		}
		if bytes.Equal(revision.Canonical(taken.Data.Raw), revision.Canonical(fresh.Data.Raw)) {
			h.rule = RevisionNameTaken
			return s.use(taken)
		}
		h.collisions++
	}
	return fmt.Errorf("no name for a new ControllerRevision of %s is free", s.ref.Qualified())
}

// revisionName is the name that the manager gives new data. It is known where hashing the
// newest revision gives that one's own name: else the data are not those that the manager
// hashes, as in a snapshot, which holds stand-ins for values that may be secrets.
func (s *reconcile) revisionName(data []byte) string {
	if !s.given.Exact && !s.hashesNewest() {
		return revision.Name(s.set.Name, unknownHash)
	}
	return revision.Name(s.set.Name, revision.Hash(data, s.history.collisions))
}

func (s *reconcile) hashesNewest() bool {
	n := len(s.history.listed)
	if n == 0 {
		return false
	}
	newest := s.history.listed[n-1]
	for c := range s.history.collisions + 1 {
		if newest.Name == revision.Name(s.set.Name, revision.Hash(revision.Canonical(newest.Data.Raw), c)) {
			return true
		}
	}
	return false
}

// named is the uncached read of a revision.
func (s *reconcile) named(name string) (*appsv1.ControllerRevision, error) {
	if s.given.API.Named != nil {
		return s.given.API.Named(name)
	}
	need := s.revisionsNeed()
	need.Name = name
	if cr, found := view.Get[*appsv1.ControllerRevision](s.r, need); found {
		return cr, nil
	}
	return nil, fmt.Errorf("controllerrevision %s/%s: %w", s.set.Namespace, name, cluster.ErrNotFound)
}

// truncate mirrors truncateHistory (stateful_set_control.go, v1.37.1): of the revisions
// that no Pod carries, the oldest beyond spec.revisionHistoryLimit are deleted.
func (s *reconcile) truncate() error {
	h := &s.history
	live := map[string]bool{}
	for _, v := range []*version{h.current, h.update} {
		if v != nil {
			live[v.Name] = true
		}
	}
	carried := s.claims.carried()
	dead := slices.DeleteFunc(slices.Clone(h.listed), func(cr *appsv1.ControllerRevision) bool { return live[cr.Name] || carried[cr.Name] > 0 })
	limit := int(*s.set.Spec.RevisionHistoryLimit)
	if limit < 0 || len(dead) <= limit {
		return nil
	}
	for _, cr := range dead[:len(dead)-limit] {
		if err := s.server.send(object(cluster.Delete, view.ControllerRevisions, cr)); err != nil {
			return err
		}
		h.truncated = append(h.truncated, cr)
	}
	return nil
}

// unknownHash stands for the hash of a revision whose name can't be predicted.
const unknownHash = "<hash>"

// aHash is as long as a hash can be, with the dash before it.
const aHash = "-4294967295"

// unnamed reports whether the name of the update revision is not known.
func (h *history) unnamed() bool { return strings.HasSuffix(h.update.Name, unknownHash) }

// nameRevisions takes the revisions from status, where they could not be read. A
// template that may have changed since is of a revision without a name.
func (s *reconcile) nameRevisions() error {
	named := func(name string) *version {
		return &version{&appsv1.ControllerRevision{ObjectMeta: metav1.ObjectMeta{Namespace: s.set.Namespace, Name: name}}, &s.set.Spec.Template}
	}
	h, before := &s.history, s.asRead()
	h.rule, h.update = RevisionsUnread, named(s.set.Status.UpdateRevision)
	observed := before != nil && before.Status.UpdateRevision != "" && before.Status.ObservedGeneration >= before.Generation
	changed := before != nil && !equality.Semantic.DeepEqual(before.Spec.Template, s.set.Spec.Template)
	if behind := s.set.Generation > s.set.Status.ObservedGeneration; behind && (changed || !observed) || s.set.Status.UpdateRevision == "" {
		h.update = named(revision.Name(s.set.Name, unknownHash))
	}
	if changed && observed {
		h.replaced = before.Status.UpdateRevision
	}
	h.current = h.update
	if s.set.Status.CurrentRevision != "" {
		h.current = named(s.set.Status.CurrentRevision)
	}
	return nil
}
