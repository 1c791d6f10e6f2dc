package cloneset

import (
	"cmp"
	"maps"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/wording"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/template"
)

// unknown stands for the hash of a revision whose name cannot be predicted. No
// pod carries it: SafeEncodeString makes no such letter.
const unknown = "unknown"

// revision is a version of the template.
type revision struct {
	name    string
	number  int64
	created time.Time
	// template is the pod template, in the form in which two of them compare.
	template template.Template
	// claimHash is the annotation with the hash of the volume claim templates.
	claimHash    string
	hasClaimHash bool
	// bare: it has no annotation at all.
	bare bool
}

// revisions is what getActiveRevisions finds.
type revisions struct {
	listed []*revision
	// others are those of other objects that match the selector.
	others          []*revision
	update, current *revision
	// own is the set's template as its manager reads it.
	own template.Template
	// rule says how the update revision comes about.
	rule string
	// unread: the ControllerRevisions could not be read.
	unread bool
}

// findRevisions mirrors ListControllerRevisions and getActiveRevisions
// (pkg/util/history and cloneset_controller.go, v1.9.1).
func (s *sync) findRevisions() {
	need := view.Need{
		Kind: view.ControllerRevisions, Namespace: s.set.GetNamespace(),
		Without: "which revision a Pod is of is told by status alone",
	}
	rs := &s.revisions
	for _, cr := range view.List[*appsv1.ControllerRevision](s.r, need, s.set.Selector) {
		if ref := metav1.GetControllerOfNoCopy(cr); ref == nil || ref.UID == s.set.GetUID() {
			rs.listed = append(rs.listed, revisionOf(cr))
		} else {
			rs.others = append(rs.others, revisionOf(cr))
		}
	}
	need.Detail, need.Selector = view.Full, view.SelectorText(s.set.Selector)
	rs.unread = s.r.Err(need) != nil
	slices.SortStableFunc(rs.listed, byRevision)
	mine, dropped := template.Known(s.set.TemplateFields(), s.kruise.Version)
	if len(dropped) > 0 {
		s.limit(rules.FieldsDropped, decision.F("fields", wording.List(dropped)), decision.F("release", s.kruise.Version.String()))
	}
	rs.own = mine
	rs.findUpdate(s.set, mine, template.ClaimsHash(s.set.Spec.VolumeClaimTemplates, s.kruise.Version))
	rs.findCurrent(s.set.Status.CurrentRevision)
}

// byRevision mirrors byRevision of k8s.io/kubernetes/pkg/controller/history, which
// all modelled releases of Kruise sort with: of one number, the revision that was
// created later is the newer one, and then that of the later name.
func byRevision(a, b *revision) int {
	return cmp.Or(cmp.Compare(a.number, b.number), a.created.Compare(b.created), cmp.Compare(a.name, b.name))
}

// rollbackPanics: before 1.9 the hash of the claim templates was noted on a
// revision that is rolled back to, in a map that is not there when it has no
// annotation at all, as those made before 1.7.
func (s *sync) rollbackPanics() bool {
	r := s.revisions.update
	if !s.behaviour.RollbackPanics || s.revisions.rule != rules.RevisionRolledBack || !r.bare {
		return false
	}
	why := decision.Ruled(rules.RollbackPanics, decision.F("revision", r.name))
	s.d.Gate, s.d.NextSync = decision.Gate{Basis: "computed", Ruling: why}, why
	return true
}

// storeRevision is the API server's answer to a new or renumbered revision.
func (s *sync) storeRevision() error {
	r := s.revisions.update
	w := cluster.Write{Verb: cluster.Create, Kind: view.ControllerRevisions, Namespace: s.set.GetNamespace(), Name: r.name}
	switch s.revisions.rule {
	case rules.RevisionCreated, rules.RevisionTaken:
		w.Object = s.newRevision(r)
	case rules.RevisionRolledBack:
		w.Verb, w.Stored = cluster.Update, r.rolledBack
	default:
		return nil
	}
	_, err := s.send(request{w, w.Verb == cluster.Update})
	return err
}

// newRevision is the ControllerRevision of a template that has none (NewRevision of
// revision/cloneset_revision.go, v1.9.1).
func (s *sync) newRevision(r *revision) *appsv1.ControllerRevision {
	labels, annotations := maps.Clone(s.set.Spec.Template.Labels), maps.Clone(s.set.GetAnnotations())
	if labels == nil {
		labels = map[string]string{}
	}
	if annotations == nil {
		annotations = map[string]string{}
	}
	labels["controller.kubernetes.io/hash"] = kruise.ShortHash(r.name)
	if r.hasClaimHash {
		annotations[api.ClaimHashAnnotation] = r.claimHash
	}
	return &appsv1.ControllerRevision{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: s.set.GetNamespace(), Name: r.name, Labels: labels, Annotations: annotations,
			OwnerReferences: []metav1.OwnerReference{s.reference()},
		},
		Revision: r.number, Data: runtime.RawExtension{Raw: r.template.Raw},
	}
}

// rolledBack is the stored revision with its new number and the hash of the claim
// templates that the set has now.
func (r *revision) rolledBack(now metav1.Object) metav1.Object {
	stored, ok := view.Copy(now).(*appsv1.ControllerRevision)
	if !ok {
		return now
	}
	stored.Revision = r.number
	if r.hasClaimHash {
		if stored.Annotations == nil {
			stored.Annotations = map[string]string{}
		}
		stored.Annotations[api.ClaimHashAnnotation] = r.claimHash
	}
	return stored
}

func revisionOf(cr *appsv1.ControllerRevision) *revision {
	r := &revision{name: cr.Name, number: cr.Revision, created: cr.CreationTimestamp.Time, template: template.Stored(cr.Data.Raw), bare: cr.Annotations == nil}
	r.claimHash, r.hasClaimHash = cr.Annotations[api.ClaimHashAnnotation]
	return r
}

// findUpdate compares the set's template with the listed ones. Upstream
// compares bytes; here both sides are brought into one form first, which takes
// files written by other hands, too. (Upstream also tells revisions apart
// whose hash labels are numbers and differ, which needs a hash collision.)
func (rs *revisions) findUpdate(s *api.Set, mine template.Template, claims string) {
	if rs.unread {
		rs.rule, rs.update = rules.RevisionNotRead, &revision{name: s.Status.UpdateRevision, template: mine}
		return
	}
	var equal *revision
	for _, r := range rs.listed {
		if r.template.Same(mine) {
			equal = r
		}
	}
	last := len(rs.listed) - 1
	switch {
	case equal == nil && rs.taken(s, mine) != nil:
		rs.rule, rs.update = rules.RevisionTaken, rs.taken(s, mine)
	case equal == nil:
		rs.rule, rs.update = rules.RevisionCreated, &revision{name: rs.predict(s, mine), number: 1, template: mine}
		rs.update.claimHash, rs.update.hasClaimHash = claims, true
		if last >= 0 {
			rs.update.number = rs.listed[last].number + 1
		}
	case rs.listed[last].template.Same(equal.template):
		rs.rule, rs.update = rules.RevisionUnchanged, rs.listed[last]
	default:
		rolledBack := *equal
		rolledBack.number = rs.listed[last].number + 1
		rolledBack.claimHash, rolledBack.hasClaimHash = claims, true
		rs.rule, rs.update = rules.RevisionRolledBack, &rolledBack
	}
}

// taken is a revision of another object, of the same template and under the
// name that the new one would get: it is used as it is
// (CreateControllerRevision of pkg/util/history, v1.9.1). A CloneSet that is
// deleted leaves it to one that is made again, until the garbage collector comes.
func (rs *revisions) taken(s *api.Set, mine template.Template) *revision {
	for _, r := range rs.others {
		if r.template.Same(mine) && r.name == revisionName(s, r.template) {
			return r
		}
	}
	return nil
}

// revisionName is what the manager would call a new revision, if it encodes the
// template as this tool does.
func revisionName(s *api.Set, t template.Template) string {
	collisions := int32(0)
	if s.Status.CollisionCount != nil {
		collisions = *s.Status.CollisionCount
	}
	name := s.GetName()
	return name[:min(len(name), 223)] + "-" + t.RevisionHash(collisions)
}

func (rs *revisions) findCurrent(name string) {
	for _, r := range rs.listed {
		if r.name == name {
			rs.current = r
			return
		}
	}
	if rs.unread && name != "" && name != rs.update.name {
		rs.current = &revision{name: name}
		return
	}
	rs.current = rs.update
}

// predict is the name of a new revision: the hash of its bytes. It is said only
// where hashing the newest revision the same way gives that one's own name;
// else this tool's encoding of a template is not the manager's.
func (rs *revisions) predict(s *api.Set, mine template.Template) string {
	if len(rs.listed) == 0 {
		return s.GetName() + "-" + unknown
	}
	newest := rs.listed[len(rs.listed)-1]
	if kruise.ShortHash(revisionName(s, newest.template)) != kruise.ShortHash(newest.name) {
		return s.GetName() + "-" + unknown
	}
	return revisionName(s, mine)
}

func (rs *revisions) isNew() bool { return rs.rule == rules.RevisionCreated }

// of is the first listed revision that the pod carries, nil for none.
func (rs *revisions) of(m *core.PodState) *revision {
	for _, r := range rs.listed {
		if m.Carries(r.name) {
			return r
		}
	}
	return nil
}

// showRevisions lists the revisions with their pods, the update revision last.
func (s *sync) showRevisions() {
	rs := &s.revisions
	for _, r := range rs.listed {
		if r.name != rs.update.name {
			s.showRevision(r, rules.OlderRevision)
		}
	}
	s.showRevision(rs.update, rs.rule)
}

func (s *sync) showRevision(r *revision, rule string) {
	rs := &s.revisions
	out := decision.Revision{Name: r.name, Number: r.number}
	if r.name == rs.update.name {
		out.Roles = append(out.Roles, "update")
	}
	if r.name == rs.current.name {
		out.Roles = append(out.Roles, "current")
	}
	for _, m := range s.pods {
		if m.Carries(r.name) {
			out.Pods++
		}
	}
	out.Ruling = decision.Ruled(rule, decision.At("revision", r.number, "controllerrevision/"+r.name+" revision"), decision.F("pods", out.Pods))
	s.d.Revisions = append(s.d.Revisions, out)
}
