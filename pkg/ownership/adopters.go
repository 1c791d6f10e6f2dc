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
	each            func(*view.Reader, view.Need, func(metav1.Object, *metav1.LabelSelector))
}

func reading[T metav1.Object](selector func(T) *metav1.LabelSelector) func(*view.Reader, view.Need, func(metav1.Object, *metav1.LabelSelector)) {
	return func(r *view.Reader, need view.Need, found func(metav1.Object, *metav1.LabelSelector)) {
		for _, o := range view.List[T](r, need, nil) {
			found(o, selector(o))
		}
	}
}

var podAdopters = []adopterKind{
	{kind: view.ReplicaSets, each: reading(func(o *appsv1.ReplicaSet) *metav1.LabelSelector { return o.Spec.Selector })},
	{kind: view.ReplicationControllers, each: reading(func(o *corev1.ReplicationController) *metav1.LabelSelector {
		return &metav1.LabelSelector{MatchLabels: o.Spec.Selector}
	})},
	{kind: view.DaemonSets, each: reading(func(o *appsv1.DaemonSet) *metav1.LabelSelector { return o.Spec.Selector })},
	{kind: view.StatefulSets, named: true, each: reading(func(o *appsv1.StatefulSet) *metav1.LabelSelector { return o.Spec.Selector })},
	{kind: view.Jobs, each: reading(func(o *batchv1.Job) *metav1.LabelSelector { return o.Spec.Selector })},
}

var setAdopters = []adopterKind{
	{kind: view.Deployments, each: reading(func(o *appsv1.Deployment) *metav1.LabelSelector { return o.Spec.Selector })},
}

// PodAdopters are those of Pods. Kruise's are read where an orphan refers to one:
// without Kruise there are none.
func PodAdopters(r *view.Reader, namespace string) *Adopters {
	kinds := podAdopters
	if hasKruiseOrphan(r, namespace) {
		kinds = slices.Concat(kinds, kruiseAdopters)
	}
	return adoptersOf(r, namespace, kinds, "whether another controller would adopt the same Pod is not known")
}

// ReplicaSetAdopters are those of ReplicaSets.
func ReplicaSetAdopters(r *view.Reader, namespace string) *Adopters {
	return adoptersOf(r, namespace, setAdopters, "whether another Deployment would adopt the same ReplicaSet is not known")
}

// adoptersOf reads the kinds. What it makes of them serves all decisions on the
// same View.
func adoptersOf(r *view.Reader, namespace string, kinds []adopterKind, without string) *Adopters {
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
			k.each(r, needs[i], func(o metav1.Object, sel *metav1.LabelSelector) { a.add(k, o, sel) })
		}
		a.index = selectorindex.NewIndex(a.selectors)
		return a
	})
}

func (a *Adopters) add(k adopterKind, o metav1.Object, sel *metav1.LabelSelector) {
	s, ok := selectorOf(sel)
	if !ok || o.GetDeletionTimestamp() != nil {
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

// Besides names the first of those that would adopt an orphan besides the object
// with UID one, and is how many there are.
func (a *Adopters) Besides(one types.UID, orphan metav1.Object) (names string, n int) {
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

// PodRivals names the first of those that may adopt an orphan besides the object
// with UID one, controllers that files lack among them, and is how many there are.
func PodRivals(r *view.Reader, one types.UID, orphan metav1.Object) (names string, n int) {
	names, n = PodAdopters(r, orphan.GetNamespace()).Besides(one, orphan)
	absent, m := absentAdopters(r, orphan.GetNamespace())
	if n > 0 && m > 0 {
		names += ", "
	}
	return names + absent, n + m
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
		if n, err := strconv.ParseInt(rest, 10, 64); of && err == nil && rest == strconv.FormatInt(n, 10) && n >= 0 {
			return n, true
		}
	}
	return 0, false
}

// isOrdinalOf mirrors getParentNameAndOrdinal of
// pkg/controller/statefulset/stateful_set_utils.go (v1.37.1).
func isOrdinalOf(pod, set string) bool {
	ordinal, ok := strings.CutPrefix(pod, set+"-")
	return ok && ordinal != "" && strings.Trim(ordinal, "0123456789") == ""
}
