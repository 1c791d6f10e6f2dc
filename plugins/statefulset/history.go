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
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/statefulset/revision"
)

// history is what historyControl comes to: the ControllerRevisions of the StatefulSet.
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

// historyControl lists, adopts, chooses, stores and deletes ControllerRevisions for the sync
// (realHistory of pkg/controller/history/controller_history.go, v1.37.1).
type historyControl struct {
	*target
	*history
	server *server
	given  *Given
	out    *decision.Decision
}

func (s *reconcile) historyControl() *historyControl {
	return &historyControl{target: &s.target, history: &s.history, server: s.server, given: &s.given, out: s.out}
}

// did puts what the last write does to a revision on record. Which one it is may depend on
// who adopts first, and not on whether Pods are accepted.
func (h *historyControl) did(verb decision.Verb, cr *appsv1.ControllerRevision, patch string, why decision.Ruling) {
	a := decision.Action{
		Verb: verb, Object: ownership.RefTo(view.ControllerRevisions, cr), Count: 1, Certainty: decision.Certain, Patch: patch,
		Write: h.server.number(), Ruling: why,
	}
	if h.out.Contested() {
		a.Doubt()
	}
	h.out.Do(a)
}

// list mirrors ListControllerRevisions (pkg/controller/history/
// controller_history.go, v1.37.1).
func (h *historyControl) list() {
	need := h.revisionsNeed()
	for _, cr := range view.List[*appsv1.ControllerRevision](h.r, need, h.selector) {
		ref := metav1.GetControllerOfNoCopy(cr)
		ours := ref == nil || ref.UID == h.set.UID && (!h.behaviour.revisionsByName || ref.Kind == view.StatefulSets.Kind && ref.Name == h.set.Name)
		if ours {
			h.listed = append(h.listed, cr)
		}
	}
	need.Detail, need.Selector = view.Full, view.SelectorText(h.selector)
	h.unread = h.r.Err(need) != nil
	slices.SortStableFunc(h.listed, revision.Compare)
}

// adopt mirrors adoptOrphanRevisions (stateful_set.go, v1.37.1). Before the
// first one, recheck makes sure that the StatefulSet is still the one it was.
func (h *historyControl) adopt(recheck func() error) error {
	asked, set := false, h.set
	for _, cr := range h.listed {
		if metav1.GetControllerOfNoCopy(cr) != nil {
			continue
		}
		if !asked {
			if err := recheck(); err != nil {
				return fmt.Errorf("can't adopt ControllerRevisions: %w", err)
			}
			asked = true
		}
		adopter := ownership.Claimer{Ref: h.ref, Selector: h.selector, TakesTerminating: true}
		v := adopter.Claim(cr)
		w := object(cluster.Patch, view.ControllerRevisions, cr)
		w.Patch, w.Stored = v.Patch, func(now metav1.Object) metav1.Object { return ownership.With(now, reference(set)) }
		if err := h.server.send(w); err != nil {
			return err
		}
		h.did(decision.Adopt, cr, v.Patch, v.Ruling)
		if why, n := ownership.Contested(h.r, view.ControllerRevisions, set.UID, h.selector, cr); n > 0 {
			h.out.Latest().DoubtAs(why)
		}
	}
	return nil
}

// find mirrors getStatefulSetRevisions (stateful_set_control.go, v1.37.1).
func (h *historyControl) find() error {
	if c := h.set.Status.CollisionCount; c != nil {
		h.collisions = *c
	}
	if h.unread {
		return h.nameRevisions()
	}
	if err := h.findUpdate(); err != nil {
		return err
	}
	h.current = h.update
	for _, cr := range h.listed {
		if cr.Name == h.set.Status.CurrentRevision {
			return h.restore(&h.current, cr)
		}
	}
	return nil
}

// restore finds the template of a revision. Errors: data that is no template.
func (h *historyControl) restore(to **version, cr *appsv1.ControllerRevision) error {
	t, err := revision.Template(cr.Data.Raw)
	if err != nil {
		return fmt.Errorf("controllerrevision %s/%s: %w", cr.Namespace, cr.Name, err)
	}
	if t == nil {
		t = &h.set.Spec.Template
	}
	*to = &version{cr, t}
	return nil
}

// findUpdate finds the revision that Pods are updated to, and stores it where that is
// needed.
func (h *historyControl) findUpdate() error {
	fresh, err := h.newRevision()
	if err != nil {
		return err
	}
	last := len(h.listed) - 1
	equal := -1
	for i, cr := range h.listed {
		if h.equal(cr, fresh) {
			equal = i
		}
	}
	switch {
	case equal >= 0 && h.equal(h.listed[last], h.listed[equal]):
		h.rule = RevisionCurrentTemplate
		return h.use(h.listed[last])
	case equal >= 0:
		return h.rollBack(h.listed[equal], fresh.Revision)
	case last >= 0 && h.behaviour.semantic && revision.Restores(h.listed[last].Data.Raw, fresh.Data.Raw, h.behaviour.version):
		h.rule = RevisionSameMeaning
		return h.use(h.listed[last])
	}
	return h.create(fresh)
}

// use takes a stored revision.
func (h *historyControl) use(cr *appsv1.ControllerRevision) error {
	h.number = cr.Revision
	return h.restore(&h.update, cr)
}

// equal mirrors EqualRevision (pkg/controller/history/controller_history.go, v1.37.1).
func (h *historyControl) equal(a, b *appsv1.ControllerRevision) bool {
	if h.behaviour.hashLabels && revision.OtherHash(a, b) {
		return false
	}
	return bytes.Equal(revision.Canonical(a.Data.Raw), revision.Canonical(b.Data.Raw))
}

// newRevision mirrors newRevision (stateful_set_utils.go) and NewControllerRevision
// (pkg/controller/history/controller_history.go, v1.37.1).
func (h *historyControl) newRevision() (*appsv1.ControllerRevision, error) {
	data, err := revision.Patch(&h.set.Spec.Template, h.behaviour.version)
	if err != nil {
		return nil, err
	}
	hash := revision.Hash(data, h.collisions)
	labels := map[string]string{}
	maps.Copy(labels, h.set.Spec.Template.Labels)
	labels[revision.HashLabel] = hash
	annotations := map[string]string{}
	maps.Copy(annotations, h.set.Annotations)
	number := int64(1)
	if n := len(h.listed); n > 0 {
		number = h.listed[n-1].Revision + 1
	}
	return &appsv1.ControllerRevision{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: h.set.Namespace, Name: revision.Name(h.set.Name, hash), Labels: labels, Annotations: annotations,
			OwnerReferences: []metav1.OwnerReference{reference(h.set)},
		},
		Revision: number, Data: runtime.RawExtension{Raw: data},
	}, nil
}

// rollBack mirrors UpdateControllerRevision (pkg/controller/history/
// controller_history.go, v1.37.1): an older revision gets the highest number.
func (h *historyControl) rollBack(cr *appsv1.ControllerRevision, number int64) error {
	h.rule, h.number = RevisionOlderTemplate, number
	next := cr.DeepCopy()
	next.Revision = number
	err := onConflict(backoffSteps, func() error { return h.server.send(object(cluster.Update, view.ControllerRevisions, next)) })
	if err != nil {
		return err
	}
	return h.restore(&h.update, next)
}

// mostCollisions bounds the names that are tried: each has another hash.
const mostCollisions = 100

// create mirrors CreateControllerRevision (same file).
func (h *historyControl) create(fresh *appsv1.ControllerRevision) error {
	h.rule, h.number = RevisionNewTemplate, fresh.Revision
	for range mostCollisions {
		next := fresh.DeepCopy()
		next.Name = h.revisionName(fresh.Data.Raw)
		err := h.server.send(object(cluster.Create, view.ControllerRevisions, next))
		if err == nil {
			return h.restore(&h.update, next)
		}
		if !errors.Is(err, cluster.ErrAlreadyExists) {
			return err
		}
		taken, err := h.named(next.Name)
		if err != nil {
			return err
		}
		if bytes.Equal(revision.Canonical(taken.Data.Raw), revision.Canonical(fresh.Data.Raw)) {
			h.rule = RevisionNameTaken
			return h.use(taken)
		}
		h.collisions++
	}
	return fmt.Errorf("no name for a new ControllerRevision of %s is free", h.ref.Qualified())
}

// revisionName is the name that the manager gives new data. It is known where hashing the
// newest revision gives that one's own name: else the data are not those that the manager
// hashes, as in a snapshot, which holds stand-ins for values that may be secrets.
func (h *historyControl) revisionName(data []byte) string {
	if !h.given.Exact && !h.hashesNewest() {
		return revision.Name(h.set.Name, unknownHash)
	}
	return revision.Name(h.set.Name, revision.Hash(data, h.collisions))
}

func (h *historyControl) hashesNewest() bool {
	n := len(h.listed)
	if n == 0 {
		return false
	}
	newest := h.listed[n-1]
	for c := range h.collisions + 1 {
		if newest.Name == revision.Name(h.set.Name, revision.Hash(revision.Canonical(newest.Data.Raw), c)) {
			return true
		}
	}
	return false
}

// named is the uncached read of a revision.
func (h *historyControl) named(name string) (*appsv1.ControllerRevision, error) {
	if h.given.API.Named != nil {
		return h.given.API.Named(name)
	}
	need := h.revisionsNeed()
	need.Name = name
	if cr, found := view.Get[*appsv1.ControllerRevision](h.r, need); found {
		return cr, nil
	}
	return nil, fmt.Errorf("controllerrevision %s/%s: %w", h.set.Namespace, name, cluster.ErrNotFound)
}

// truncate mirrors truncateHistory (stateful_set_control.go, v1.37.1): of the revisions
// that no Pod carries, the oldest beyond spec.revisionHistoryLimit are deleted.
func (h *historyControl) truncate(carried map[string]int) error {
	live := map[string]bool{}
	for _, v := range []*version{h.current, h.update} {
		if v != nil {
			live[v.Name] = true
		}
	}
	dead := slices.DeleteFunc(slices.Clone(h.listed), func(cr *appsv1.ControllerRevision) bool { return live[cr.Name] || carried[cr.Name] > 0 })
	limit := int(*h.set.Spec.RevisionHistoryLimit)
	if limit < 0 || len(dead) <= limit {
		return nil
	}
	for _, cr := range dead[:len(dead)-limit] {
		if err := h.server.send(object(cluster.Delete, view.ControllerRevisions, cr)); err != nil {
			return err
		}
		h.truncated = append(h.truncated, cr)
		h.did(decision.Delete, cr, "", decision.Ruled(RevisionTruncated, numbered(cr, cr.Revision)))
	}
	return nil
}

func numbered(cr *appsv1.ControllerRevision, number int64) decision.Fact {
	return decision.At(keyNumber, number, "controllerrevision/"+cr.Name+" revision")
}

// unknownHash stands for the hash of a revision whose name can't be predicted.
const unknownHash = "<hash>"

// aHash is as long as a hash can be, with the dash before it.
const aHash = "-4294967295"

// unnamed reports whether the name of the update revision is not known.
func (h *history) unnamed() bool { return strings.HasSuffix(h.update.Name, unknownHash) }

// nameRevisions takes the revisions from status, where they could not be read. A
// template that may have changed since is of a revision without a name.
func (h *historyControl) nameRevisions() error {
	named := func(name string) *version {
		return &version{&appsv1.ControllerRevision{ObjectMeta: metav1.ObjectMeta{Namespace: h.set.Namespace, Name: name}}, &h.set.Spec.Template}
	}
	before := h.asRead()
	h.rule, h.update = RevisionsUnread, named(h.set.Status.UpdateRevision)
	observed := before != nil && before.Status.UpdateRevision != "" && before.Status.ObservedGeneration >= before.Generation
	changed := before != nil && !equality.Semantic.DeepEqual(before.Spec.Template, h.set.Spec.Template)
	if behind := h.set.Generation > h.set.Status.ObservedGeneration; behind && (changed || !observed) || h.set.Status.UpdateRevision == "" {
		h.update = named(revision.Name(h.set.Name, unknownHash))
	}
	if changed && observed {
		h.replaced = before.Status.UpdateRevision
	}
	h.current = h.update
	if h.set.Status.CurrentRevision != "" {
		h.current = named(h.set.Status.CurrentRevision)
	}
	return nil
}

// shown are the revisions with the numbers of Pods that carry them, the update revision last.
func (h *history) shown(carried map[string]int) []decision.Revision {
	if h.update == nil {
		return nil
	}
	var all []decision.Revision
	for _, cr := range h.listed {
		if cr.Name != h.update.Name {
			all = append(all, h.show(cr, cr.Revision, OlderTemplate, carried[cr.Name]))
		}
	}
	return append(all, h.show(h.update.ControllerRevision, h.number, h.rule, carried[h.update.Name]))
}

func (h *history) show(cr *appsv1.ControllerRevision, number int64, rule string, pods int) decision.Revision {
	out := decision.Revision{Name: cr.Name, Number: number, Pods: pods}
	if cr.Name == h.update.Name {
		out.Roles = append(out.Roles, "update")
	}
	if cr.Name == h.current.Name {
		out.Roles = append(out.Roles, "current")
	}
	for _, gone := range h.truncated {
		if gone.Name == cr.Name {
			rule = RevisionTruncated
		}
	}
	out.Ruling = decision.Ruled(rule, numbered(cr, number), decision.F(keyPods, out.Pods))
	return out
}
