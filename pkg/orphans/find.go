package orphans

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Query says what to look at.
type Query struct {
	// Namespace is empty for all; then Home is the one to look at where this
	// user may neither read all nor list them.
	Namespace, Home string
	// Kinds are some of Kinds.
	Kinds []view.Kind
	// Selector picks objects by their labels; nil for all.
	Selector labels.Selector
	// Served finds the kinds that references name.
	Served lineage.Kinds
	// Installed tells of a kind that this user may not read whether the server
	// serves it at all; nil for yes.
	Installed func(view.Kind) bool
	// Decide is the next decision of a controller on what a Reader reads, nil
	// where it is not modelled. A *decision.Undecidable is a caveat.
	Decide func(*view.Reader, view.Target) (*decision.Decision, error)
	// ByName says that controllers find their pods by the kind, name and UID
	// of their reference: since Kubernetes 1.34.2.
	ByName bool
	// Modelled is put into the Report.
	Modelled decision.Modelled
}

// Kinds are those that can be asked about.
var Kinds = []view.Kind{view.Pods, view.ReplicaSets, view.ControllerRevisions, view.PersistentVolumeClaims}

// mostFindings bounds the objects that something is to be said about. Those that
// need no controller are only counted.
const mostFindings = 300_000

var errTooMany = fmt.Errorf("more than %d orphans: ask for one --namespace, for one kind such as orphans rs, or for some with --selector", mostFindings)

// finder looks at the objects of one namespace, or of all.
type finder struct {
	Query
	r         *view.Reader
	checker   *lineage.Checker
	claimants map[schema.GroupKind]*ownership.Claimants
	rep       *Report
	// beyond are, by the UID of a controller, the names of the revisions it has
	// too many.
	beyond map[string]map[string]bool
	// overfull are the controllers with such revisions.
	overfull []decision.Ref
	// revisions are those of a namespace by their controller.
	revisions map[string]map[types.UID][]*appsv1.ControllerRevision
	// instances are the IDs that pods of a CloneSet bear.
	instances map[types.UID]map[string]bool
	// makers are the StatefulSets that make volume claims, by namespace.
	makers map[string][]*appsv1.StatefulSet
	// mounts are the volume claims that Pods use, by namespace.
	mounts map[string]map[string]bool
	// moved are the objects of findings that join or leave a controller, by UID.
	moved map[string]moved
}

// moved is an object with its kind.
type moved struct {
	kind view.Kind
	obj  metav1.Object
}

// Find looks at all objects of the query. What could not be read is in the
// Report's caveats; the error is that of the objects themselves, when none of
// the kinds could be read.
func Find(r *view.Reader, q Query) (*Report, error) {
	rep := &Report{AsOf: r.Now(), Modelled: q.Modelled, Groups: map[Group]int{}, Findings: []Finding{}, Overlaps: []Overlap{}}
	var failed error
	read := 0
	scopes := q.scopes(r)
	if !slices.Equal(scopes, []string{""}) {
		rep.Namespaces = scopes
	}
	for _, ns := range scopes {
		f := newFinder(r, q, ns, rep)
		if err := f.kinds(); errors.Is(err, errTooMany) {
			return nil, err
		} else if err != nil {
			failed = cmp.Or(failed, err)
			continue
		}
		read++
		f.consequences()
		f.overlaps()
	}
	switch {
	case read == 0 && view.NotCaptured(failed):
		return nil, fmt.Errorf("%w; %s", failed, complete(r, q))
	case read == 0 && failed != nil:
		return nil, failed
	}
	for _, ns := range rep.within(scopes) {
		rep.emptied += lineage.Emptied(r, ns)
	}
	rep.finish(r, q)
	return rep, nil
}

// within is the namespace that was looked at or, of several, are those of findings; none of
// very many.
func (rep *Report) within(scopes []string) []string {
	if len(scopes) == 1 && scopes[0] != "" {
		return scopes
	}
	found := map[string]bool{}
	for i := range rep.Findings {
		found[rep.Findings[i].Object.Namespace] = true
	}
	if len(found) > format.Most {
		return nil
	}
	return slices.Sorted(maps.Keys(found))
}

func newFinder(r *view.Reader, q Query, namespace string, rep *Report) *finder {
	q.Namespace = namespace
	return &finder{
		Query: q, r: r, checker: lineage.NewWideChecker(r, q.Served, namespace),
		claimants: map[schema.GroupKind]*ownership.Claimants{}, rep: rep, beyond: map[string]map[string]bool{}, revisions: map[string]map[types.UID][]*appsv1.ControllerRevision{}, instances: map[types.UID]map[string]bool{}, moved: map[string]moved{},
		mounts: map[string]map[string]bool{},
	}
}

// kinds judges the objects of every kind that can be read.
func (f *finder) kinds() error {
	var failed error
	read := 0
	for _, k := range f.Kinds {
		objs, err := f.list(k)
		if err != nil {
			failed = cmp.Or(failed, err)
			continue
		}
		read++
		for _, obj := range objs {
			if f.Selector == nil || f.Selector.Matches(labels.Set(obj.GetLabels())) {
				f.judge(k, obj)
			}
			if len(f.rep.Findings)-f.rep.Groups[ByDesign] > mostFindings {
				return errTooMany
			}
		}
	}
	if read == 0 {
		return failed
	}
	return nil
}

const notShown = "orphans among them are not shown"

func (f *finder) list(k view.Kind) ([]metav1.Object, error) {
	need := view.Need{Kind: k, Namespace: f.Namespace, IfMissing: notShown}
	return f.r.Objects(need), f.r.Err(need)
}

// judge gives one object its verdict.
func (f *finder) judge(k view.Kind, obj metav1.Object) {
	f.rep.Objects++
	found, settled := f.verdict(k, obj)
	if settled {
		f.rep.Settled++
		if len(obj.GetOwnerReferences()) == 0 {
			f.rep.unowned++
		}
		return
	}
	found.Object = ownership.RefTo(k, obj)
	f.rep.Groups[found.Group]++
	switch {
	case found.Rule == GoesWithOwner:
		f.rep.goes++
	case found.Group == ByDesign && len(obj.GetOwnerReferences()) == 0:
		f.rep.unowned++
	}
	if found.Group == Adopted || found.Group == Contested || found.leaves() {
		f.moved[found.Object.UID] = moved{k, obj}
	}
	f.rep.add(found)
}

func (f *finder) verdict(k view.Kind, obj metav1.Object) (found Finding, settled bool) {
	if f.kept(k, obj) {
		return Finding{}, true
	}
	return f.closer(k, obj)
}

// closer takes every reference and every controller into account.
func (f *finder) closer(k view.Kind, obj metav1.Object) (found Finding, settled bool) {
	links := f.checker.Links(obj)
	if metav1.GetControllerOfNoCopy(obj) != nil {
		return f.owned(k, obj, links)
	}
	return f.orphan(k, obj, links)
}

// claimantsOf are the controllers that claim objects of a kind.
func (f *finder) claimantsOf(k view.Kind) *ownership.Claimants {
	if f.claimants[k.GroupKind()] == nil {
		f.claimants[k.GroupKind()] = ownership.ClaimantsOf(f.r, k, f.Namespace, f.ByName)
	}
	return f.claimants[k.GroupKind()]
}

// ended reports whether a pod's phase is a last one. The phase is no metadata:
// the pod is read whole.
func (f *finder) ended(obj metav1.Object) bool {
	pod, ok := view.Decoded(obj).(*corev1.Pod)
	if !ok {
		need := view.Need{Kind: view.Pods, Namespace: obj.GetNamespace(), Name: obj.GetName(), IfMissing: "whether the Pod has ended is not known"}
		if pod, ok = view.Get[*corev1.Pod](f.r, need); !ok {
			return false
		}
	}
	return view.Ended(pod)
}
