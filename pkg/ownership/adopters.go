package ownership

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/selectorindex"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Adopters are the objects of a namespace whose controllers adopt orphans of
// one kind by selector. Objects being deleted adopt nothing and are left out.
type Adopters struct {
	all       []adopter
	selectors []labels.Selector
	index     *selectorindex.Index
	// named are the places of StatefulSets by name: they adopt only Pods that
	// bear their name and an ordinal.
	named  map[string][]int
	places map[types.UID][]int // files may hold several of one UID

	mu      sync.Mutex
	byClass map[string]*Adopting
	room    []int // to work in
}

type adopter struct {
	ref             decision.Ref
	named, referred bool
}

// Adopting are those that would adopt an orphan.
type Adopting struct {
	// first are the first of them, at most one more than format.Most.
	first []decision.Ref
	n     int
}

// adopterKind reads the selectors of one kind.
type adopterKind struct {
	kind view.Kind
	// named says that the object adopts only what bears its name, referred that
	// it adopts only what refers to it.
	named, referred bool
	// unseen says that one which files lack may adopt as well: what it selects is not known.
	unseen bool
	each   func(*view.Reader, view.Need, func(metav1.Object, labels.Selector))
}

func reading[T metav1.Object](selector func(T) *metav1.LabelSelector) func(*view.Reader, view.Need, func(metav1.Object, labels.Selector)) {
	return func(r *view.Reader, need view.Need, found func(metav1.Object, labels.Selector)) {
		for _, o := range view.List[T](r, need, nil) {
			if s, ok := selectorOf(selector(o)); ok {
				found(o, s)
			}
		}
	}
}

// adopterKinds are the kinds that adopt objects of one kind.
var adopterKinds = map[schema.GroupKind][]adopterKind{
	view.Pods.GroupKind(): {
		{kind: view.ReplicaSets, unseen: true, each: reading(func(o *appsv1.ReplicaSet) *metav1.LabelSelector { return o.Spec.Selector })},
		{kind: view.ReplicationControllers, unseen: true, each: reading(func(o *corev1.ReplicationController) *metav1.LabelSelector {
			return &metav1.LabelSelector{MatchLabels: o.Spec.Selector}
		})},
		{kind: view.DaemonSets, each: reading(func(o *appsv1.DaemonSet) *metav1.LabelSelector { return o.Spec.Selector })},
		{kind: view.StatefulSets, named: true, each: reading(func(o *appsv1.StatefulSet) *metav1.LabelSelector { return o.Spec.Selector })},
		{kind: view.Jobs, each: reading(func(o *batchv1.Job) *metav1.LabelSelector { return o.Spec.Selector })},
	},
	view.ControllerRevisions.GroupKind(): {
		{kind: view.DaemonSets, each: reading(func(o *appsv1.DaemonSet) *metav1.LabelSelector { return o.Spec.Selector })},
		{kind: view.StatefulSets, each: reading(func(o *appsv1.StatefulSet) *metav1.LabelSelector { return o.Spec.Selector })},
	},
	view.ReplicaSets.GroupKind(): {
		{kind: view.Deployments, unseen: true, each: reading(func(o *appsv1.Deployment) *metav1.LabelSelector { return o.Spec.Selector })},
	},
}

// AdoptersOf are those of objects of a kind. Kruise's are read where an orphan refers to one:
// without Kruise there are none.
func AdoptersOf(r *view.Reader, k view.Kind, namespace string) *Adopters {
	kinds := append(slices.Clip(adopterKinds[k.GroupKind()]), adoptersAmong(r.View, k)...)
	if k.Same(view.Pods) && hasKruiseOrphan(r, namespace) {
		kinds = slices.Concat(kinds, kruiseAdopters)
	}
	return adoptersAt(r, namespace, kinds, "whether another controller would adopt the same "+k.Kind+" is not known")
}

// adoptersAt reads the kinds. What it makes of them serves all decisions on the
// same View.
func adoptersAt(r *view.Reader, namespace string, kinds []adopterKind, without string) *Adopters {
	type key struct{ namespace, kinds string }
	id := key{namespace: namespace}
	needs := make([]view.Need, len(kinds))
	for i, k := range kinds {
		needs[i] = view.Need{Kind: k.kind, Namespace: namespace, IfMissing: without, Detail: view.Full}
		if r.Err(needs[i]) == nil {
			id.kinds += k.kind.GroupResource() + " "
		}
	}
	return view.Derived(r.View, id, func() *Adopters {
		a := &Adopters{named: map[string][]int{}, places: map[types.UID][]int{}, byClass: map[string]*Adopting{}}
		for i, k := range kinds {
			k.each(r, needs[i], func(o metav1.Object, s labels.Selector) { a.add(k, o, s) })
		}
		a.index = selectorindex.NewIndex(a.selectors)
		return a
	})
}

func (a *Adopters) add(k adopterKind, o metav1.Object, s labels.Selector) {
	if o.GetDeletionTimestamp() != nil {
		return
	}
	a.places[o.GetUID()] = append(a.places[o.GetUID()], len(a.all))
	a.all = append(a.all, adopter{RefTo(k.kind, o), k.named, k.referred})
	a.selectors = append(a.selectors, s)
	if k.named {
		a.named[o.GetName()] = append(a.named[o.GetName()], len(a.all)-1)
	}
}

// Adopting finds those that would adopt an orphan. The answer is the same one
// for all orphans that the same adopt.
func (a *Adopters) Adopting(orphan metav1.Object) *Adopting {
	a.mu.Lock()
	defer a.mu.Unlock()
	class := a.index.Class(orphan.GetLabels())
	for _, i := range a.particular(orphan) {
		if a.adopts(i, orphan) {
			class += " " + strconv.Itoa(i)
		}
	}
	if a.byClass[class] == nil {
		a.byClass[class] = a.matching(orphan)
	}
	return a.byClass[class]
}

// Named lists those that make Pods of an orphan's name, whatever they select.
func (a *Adopters) Named(orphan metav1.Object) (refs []decision.Ref) {
	for _, i := range a.named[parentOf(orphan.GetName())] {
		refs = append(refs, a.all[i].ref)
	}
	return refs
}

// particular are the places of those that look at more of the orphan than its
// labels, and may adopt it.
func (a *Adopters) particular(orphan metav1.Object) []int {
	places := slices.Clone(a.named[parentOf(orphan.GetName())])
	for _, ref := range orphan.GetOwnerReferences() {
		for _, i := range a.places[ref.UID] {
			if a.all[i].referred {
				places = append(places, i)
			}
		}
	}
	return places
}

func (a *Adopters) matching(orphan metav1.Object) *Adopting {
	found := &Adopting{}
	a.room = a.index.AppendMatching(a.room[:0], orphan.GetLabels())
	for _, i := range a.room {
		if one := a.all[i]; one.accepts(orphan) {
			if found.n++; found.n <= format.Most+1 {
				found.first = append(found.first, one.ref)
			}
		}
	}
	return found
}

// First lists the first of them, and how many there are.
func (a *Adopting) First() (first []decision.Ref, n int) { return a.first, a.n }

// Contested is why it is not known whether the object with UID one adopts an orphan of a kind,
// which its selector matches: n others may adopt it first, controllers that files lack among
// them. Where n is 0 there is no ruling.
func Contested(r *view.Reader, k view.Kind, one types.UID, selector labels.Selector, orphan metav1.Object) (why decision.Ruling, n int) {
	names, n := AdoptersOf(r, k, orphan.GetNamespace()).besides(one, orphan)
	unseen, m := unseenAdopters(r, k, orphan.GetNamespace())
	if n > 0 && m > 0 {
		names += ", "
	}
	if n+m == 0 {
		return decision.Ruling{}, 0
	}
	return decision.Ruled(AdoptContested, decision.F(keySelector, selector.String()), decision.F(keyRivals, names+unseen)), n + m
}

func (a *Adopters) besides(one types.UID, orphan metav1.Object) (names string, n int) {
	found := a.Adopting(orphan)
	n = found.n
	for _, i := range a.places[one] {
		if a.adopts(i, orphan) {
			n--
		}
	}
	var first []string
	for _, ref := range found.first {
		if ref.UID != string(one) {
			first = append(first, ref.String())
		}
	}
	return format.Some(first, n), n
}

func (a *Adopters) adopts(i int, orphan metav1.Object) bool {
	return a.selectors[i].Matches(labels.Set(orphan.GetLabels())) && a.all[i].accepts(orphan)
}

// accepts reports whether it adopts an orphan that its selector matches.
func (a adopter) accepts(orphan metav1.Object) bool {
	return (!a.named || isOrdinalOf(orphan.GetName(), a.ref.Name)) && (!a.referred || refersTo(orphan, a.ref.UID))
}

// RefTo names obj, which is of kind k.
func RefTo(k view.Kind, obj metav1.Object) decision.Ref {
	return decision.Ref{
		APIVersion: k.GroupVersion().String(), Kind: k.Kind,
		Namespace: obj.GetNamespace(), Name: obj.GetName(), UID: string(obj.GetUID()),
	}
}

// selectorOf drops selectors that select nothing, everything or are invalid:
// controllers look for the owner of an orphan among non-empty ones only.
func selectorOf(sel *metav1.LabelSelector) (labels.Selector, bool) {
	s, err := metav1.LabelSelectorAsSelector(sel)
	if err != nil || s.Empty() {
		return nil, false
	}
	return s, true
}

// longestBase is how much of a prefix names are generated from
// (k8s.io/apiserver pkg/storage/names/generate.go simpleNameGenerator, v0.37.1).
const longestBase = 58

// Prefix begins the names of the Pods that a controller of this name creates.
func Prefix(controller string) string {
	name := controller + "-"
	return name[:min(len(name), longestBase)]
}

// ClaimOrdinal is the ordinal of the Pod that a volume claim of a StatefulSet is for, by its
// name; false where it is none of its (getPersistentVolumeClaimName of
// pkg/controller/statefulset/stateful_set_utils.go, v1.37.1).
func ClaimOrdinal(set *appsv1.StatefulSet, claim string) (int64, bool) {
	for i := range set.Spec.VolumeClaimTemplates {
		rest, of := strings.CutPrefix(claim, set.Spec.VolumeClaimTemplates[i].Name+"-"+set.Name+"-")
		if n, ok := Ordinal(rest); of && ok {
			return n, true
		}
	}
	return 0, false
}

// Ordinal reads a number as the names of Pods and claims have it.
func Ordinal(text string) (int64, bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && text == strconv.FormatInt(n, 10) && n >= 0
}

// isOrdinalOf mirrors getParentNameAndOrdinal of
// pkg/controller/statefulset/stateful_set_utils.go (v1.37.1).
func isOrdinalOf(pod, set string) bool {
	ordinal, ok := strings.CutPrefix(pod, set+"-")
	return ok && ordinal != "" && strings.Trim(ordinal, "0123456789") == ""
}
