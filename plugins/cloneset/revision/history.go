package revision

import (
	"cmp"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/template"
)

// unknown stands for the hash of a revision whose name cannot be predicted. No
// pod carries it: SafeEncodeString makes no such letter.
const unknown = "<hash>"

// History is what getActiveRevisions finds.
type History struct {
	// Update is the revision that Pods are moved to, Current the one they come from.
	Update, Current *Revision
	// Own is the set's template as its manager reads it, Dropped the fields of it that
	// its release does not know.
	Own     template.Template
	Dropped []string
	// Unread: the ControllerRevisions could not be read.
	Unread bool
	// listed are the set's own, others those of other objects that match the selector.
	listed, others []*Revision
	// rule says how the update revision comes about, collisions how many names were taken
	// before.
	rule       string
	collisions int32
	// observed is the revision that status has observed of the template as it was read, nil
	// for none. replaced: a question or earlier rounds have changed the template since.
	observed *Revision
	replaced bool
}

// Find mirrors ListControllerRevisions and getActiveRevisions (pkg/util/history and
// cloneset_controller.go, v1.9.1).
func Find(r *view.Reader, set *api.Set, release profile.Version) History {
	need := view.Need{
		Kind: view.ControllerRevisions, Namespace: set.GetNamespace(),
		IfMissing: "which revision a Pod is of is told by status alone",
	}
	h := History{}
	for _, cr := range view.List[*appsv1.ControllerRevision](r, need, set.Selector) {
		if ref := metav1.GetControllerOfNoCopy(cr); ref == nil || ref.UID == set.GetUID() {
			h.listed = append(h.listed, revisionOf(cr))
		} else {
			h.others = append(h.others, revisionOf(cr))
		}
	}
	need.Detail, need.Selector = view.Full, view.SelectorText(set.Selector)
	h.Unread = r.Err(need) != nil
	slices.SortStableFunc(h.listed, byRevision)
	h.Own, h.Dropped = template.Known(set.TemplateFields(), release)
	h.collisions = collisions(set)
	if len(h.listed)+len(h.others) == 0 {
		h.observe(r, set, release)
	}
	h.findUpdate(set, h.Own)
	if release.AtLeast(7, 0) && (h.rule == rules.RevisionCreated || h.rule == rules.RevisionRolledBack) {
		h.noteClaims(template.ClaimsHash(set.Spec.VolumeClaimTemplates, release))
	}
	if h.IsNew() && h.observed != nil && !h.replaced {
		h.rule = rules.RevisionMadeAgain
	}
	h.findCurrent(set.Status.CurrentRevision)
	return h
}

// noteClaims notes the hash of the claim templates on the update revision, and on the listed
// one that it was (PatchVCTemplateHash of pkg/util/volumeclaimtemplate, since 1.7, which
// changes the revision that Pods are compared with as well).
func (h *History) noteClaims(hash string) {
	h.Update.claimHash, h.Update.hasClaimHash = hash, true
	for _, r := range h.listed {
		if r.Name == h.Update.Name {
			r.claimHash, r.hasClaimHash = hash, true
		}
	}
}

// observe finds out what status tells of the template where no revision does.
func (h *History) observe(r *view.Reader, set *api.Set, release profile.Version) {
	obj, _ := r.AsRead().Held(view.CloneSets, set.GetNamespace(), set.GetName())
	u, ok := obj.(*unstructured.Unstructured)
	if !ok {
		return
	}
	before, err := api.Read(u)
	if err != nil || before.Status.UpdateRevision == "" || before.Status.ObservedGeneration < before.GetGeneration() {
		return
	}
	was, _ := template.Known(before.TemplateFields(), release)
	if h.Unread || h.collisions == 0 || revisionName(set, was) == before.Status.UpdateRevision { // else it may have its name from before a collision
		h.observed, h.replaced = &Revision{Name: before.Status.UpdateRevision, Template: was}, !was.Same(h.Own)
	}
}

// Doubts reports whether a Pod may carry the update revision without its name telling so.
func (h *History) Doubts(m *core.PodState) bool {
	return len(h.listed) == 0 && h.Unnamed() && !m.Updated && (h.observed == nil || !m.Carries(h.observed.Name))
}

// Named returns a history of which the names alone are known.
func Named(current, update string) History {
	return History{Current: &Revision{Name: current}, Update: &Revision{Name: update}}
}

// byRevision mirrors byRevision of k8s.io/kubernetes/pkg/controller/history, which
// all modelled releases of Kruise sort with: of one number, the revision that was
// created later is the newer one, and then that of the later name.
func byRevision(a, b *Revision) int {
	return cmp.Or(cmp.Compare(a.Number, b.Number), a.created.Compare(b.created), cmp.Compare(a.Name, b.Name))
}

// RollsBackBare reports whether the set goes back to a revision that has no annotation
// at all, as those made before 1.7.
func (h *History) RollsBackBare() bool { return h.rule == rules.RevisionRolledBack && h.Update.bare }

// Store returns the request that stores a new or renumbered update revision; needed is
// false where it is stored.
func (h *History) Store(set *api.Set) (w cluster.Write, needed bool) {
	w = cluster.Write{Verb: cluster.Create, Kind: view.ControllerRevisions, Namespace: set.GetNamespace(), Name: h.Update.Name}
	switch h.rule {
	case rules.RevisionCreated, rules.RevisionMadeAgain, rules.RevisionTaken:
		w.Object = h.Update.object(set)
	case rules.RevisionRolledBack:
		w.Verb, w.Stored = cluster.Update, h.Update.rolledBack
	default:
		return w, false
	}
	return w, true
}

// findUpdate compares the set's template with the listed ones. Upstream
// compares bytes; here both sides are brought into one form first, which takes
// files written by other hands, too. (Upstream also tells revisions apart
// whose hash labels are numbers and differ, which needs a hash collision.)
func (h *History) findUpdate(s *api.Set, mine template.Template) {
	if h.Unread {
		h.rule, h.Update = rules.RevisionNotRead, &Revision{Name: h.predict(s, mine), Template: mine}
		return
	}
	var equal *Revision
	for _, r := range h.listed {
		if r.Template.Same(mine) {
			equal = r
		}
	}
	last := len(h.listed) - 1
	switch {
	case equal == nil && h.taken(s, mine) != nil:
		h.rule, h.Update = rules.RevisionTaken, h.taken(s, mine)
	case equal == nil:
		h.rule, h.Update = rules.RevisionCreated, &Revision{Name: h.predict(s, mine), Number: 1, Template: mine}
		if last >= 0 {
			h.Update.Number = h.listed[last].Number + 1
		}
	case h.listed[last].Template.Same(equal.Template):
		h.rule, h.Update = rules.RevisionUnchanged, h.listed[last]
	default:
		rolledBack := *equal
		rolledBack.Number = h.listed[last].Number + 1
		h.rule, h.Update = rules.RevisionRolledBack, &rolledBack
	}
}

// taken is a revision of another object, of the same template and under the
// name that the new one would get: it is used as it is
// (CreateControllerRevision of pkg/util/history, v1.9.1). A CloneSet that is
// deleted leaves it to one that is made again, until the garbage collector comes.
func (h *History) taken(s *api.Set, mine template.Template) *Revision {
	for _, r := range h.others {
		if r.Template.Same(mine) && r.Name == revisionName(s, r.Template) {
			return r
		}
	}
	return nil
}

// revisionName is what the manager would call a new revision, if it encodes the
// template as this tool does.
func revisionName(s *api.Set, t template.Template) string {
	name := s.GetName()
	return name[:min(len(name), 223)] + "-" + t.RevisionHash(collisions(s))
}

// collisions is how many names of revisions were taken.
func collisions(s *api.Set) int32 {
	if s.Status.CollisionCount == nil {
		return 0
	}
	return *s.Status.CollisionCount
}

func (h *History) findCurrent(name string) {
	for _, r := range h.listed {
		if r.Name == name {
			h.Current = r
			return
		}
	}
	if h.Unread && name != "" && name != h.Update.Name {
		h.Current = &Revision{Name: name}
		return
	}
	h.Current = h.Update
}

// predict is the name of a new revision: the hash of its bytes. It is said only
// where hashing the newest revision the same way gives that one's own name;
// else this tool's encoding of a template is not the manager's. Where none
// is listed, status tells the name of the template that it has observed: one that is gone
// is made again under it.
func (h *History) predict(s *api.Set, mine template.Template) string {
	n := len(h.listed)
	switch {
	case n == 0 && h.observed != nil && !h.replaced:
		return h.observed.Name
	case n > 0 && kruise.ShortHash(revisionName(s, h.listed[n-1].Template)) == kruise.ShortHash(h.listed[n-1].Name):
		return revisionName(s, mine)
	}
	return s.GetName() + "-" + unknown
}

// IsNew reports whether the update revision is not stored yet.
func (h *History) IsNew() bool { return h.rule == rules.RevisionCreated }

// Of returns the first listed revision that the pod carries, or where these were not read
// the one that status has observed; nil for none.
func (h *History) Of(m *core.PodState) *Revision {
	if h.Unread && h.observed != nil && m.Carries(h.observed.Name) {
		return h.observed
	}
	for _, r := range h.listed {
		if m.Carries(r.Name) {
			return r
		}
	}
	return nil
}

// Listed returns how many revisions the set has.
func (h *History) Listed() int { return len(h.listed) }

// Unnamed reports whether the name of the update revision can't be predicted.
func (h *History) Unnamed() bool {
	return h.Update != nil && strings.HasSuffix(h.Update.Name, "-"+unknown)
}

// Dead returns the revisions that are neither current nor update revision, and that no
// Pod carries; the oldest first.
func (h *History) Dead(pods []*core.PodState) []*Revision {
	carried := map[string]bool{}
	for _, m := range pods {
		carried[kruise.ShortHash(m.Revision)] = true
	}
	var dead []*Revision
	for _, r := range h.listed {
		if r.Name != h.Current.Name && r.Name != h.Update.Name && !carried[kruise.ShortHash(r.Name)] {
			dead = append(dead, r)
		}
	}
	return dead
}

// Shown returns the revisions with their Pods, the update revision last.
func (h *History) Shown(pods []*core.PodState) []decision.Revision {
	var all []decision.Revision
	for _, r := range h.listed {
		if r.Name != h.Update.Name {
			all = append(all, h.shown(r, rules.OlderRevision, pods))
		}
	}
	return append(all, h.shown(h.Update, h.rule, pods))
}

func (h *History) shown(r *Revision, rule string, pods []*core.PodState) decision.Revision {
	out := decision.Revision{Name: r.Name, Number: r.Number}
	if r.Name == h.Update.Name {
		out.Roles = append(out.Roles, "update")
	}
	if r.Name == h.Current.Name {
		out.Roles = append(out.Roles, "current")
	}
	for _, m := range pods {
		if m.Carries(r.Name) {
			out.Pods++
		}
	}
	out.Ruling = decision.Ruled(rule, decision.At(rules.KeyRevision, r.Number, "controllerrevision/"+r.Name+" revision"), decision.F(rules.KeyPods, out.Pods))
	if r.Name == h.Update.Name {
		out.Facts = append(out.Facts, decision.F(rules.KeyCollisions, h.collisions))
	}
	return out
}
