package ownership

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/selectorindex"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Claimants are the controllers that claim objects of one kind, found by the
// labels of an object.
type Claimants struct {
	all   []*Controller
	byUID map[types.UID]*Controller
	in    map[string]*claimantsIn
	// everywhere are those that list objects of all namespaces.
	everywhere []*Controller
	// unread are the needs for claimers that could not be read.
	unread []view.Read
}

// claimantsIn are those of one namespace, in the order of their index.
type claimantsIn struct {
	controllers []*Controller
	byName      map[string][]*Controller
	byUID       map[types.UID][]*Controller // files may hold several of one UID
	index       *selectorindex.Index
	// tallies and askEnded are the counts for Rivals, and of which of them a
	// Pod's phase decides; places is room to work in.
	tallies   map[tallyKey]*tally
	askEnded  map[tallyKey]bool
	selecting map[string]*Selecting
	places    []int
}

func newClaimants(all []*Controller) *Claimants {
	c := &Claimants{all: all, byUID: make(map[types.UID]*Controller, len(all)), in: map[string]*claimantsIn{}}
	for _, one := range all {
		c.byUID[one.Obj.GetUID()] = one
		if one.Everywhere {
			c.everywhere = append(c.everywhere, one)
		}
		ns := one.Obj.GetNamespace()
		if c.in[ns] == nil {
			c.in[ns] = &claimantsIn{byName: map[string][]*Controller{}, byUID: map[types.UID][]*Controller{}, tallies: map[tallyKey]*tally{}, askEnded: map[tallyKey]bool{}, selecting: map[string]*Selecting{}}
		}
		in := c.in[ns]
		in.controllers = append(in.controllers, one)
		in.byUID[one.Obj.GetUID()] = append(in.byUID[one.Obj.GetUID()], one)
		in.byName[one.Ref.Name] = append(in.byName[one.Ref.Name], one)
	}
	for _, in := range c.in {
		in.index = selectorindex.NewIndex(selectors(in.controllers))
	}
	return c
}

func selectors(all []*Controller) []labels.Selector {
	out := make([]labels.Selector, len(all))
	for i, c := range all {
		out[i] = c.Selector
	}
	return out
}

// All lists the controllers by kind, namespace and name.
func (c *Claimants) All() []*Controller { return c.all }

// Unread lists the kinds of controllers that could not be read.
func (c *Claimants) Unread() []view.Read { return c.unread }

// Of is the controller with this UID, nil when there is none.
func (c *Claimants) Of(uid types.UID) *Controller { return c.byUID[uid] }

// Selecting are the controllers of a namespace whose selectors match labels.
type Selecting struct {
	// First are the first of them, at most one more than format.Most.
	First []*Controller
	// N is how many there are.
	N int
}

// Selecting finds them. Labels that match the same have one answer.
func (c *Claimants) Selecting(namespace string, set labels.Set) *Selecting {
	in := c.in[namespace]
	if in == nil {
		return &Selecting{}
	}
	class := in.index.Class(set)
	if in.selecting[class] == nil {
		in.places = in.index.AppendMatching(in.places[:0], set)
		in.selecting[class] = &Selecting{in.pick(in.places[:min(len(in.places), format.Most+1)]), len(in.places)}
	}
	return in.selecting[class]
}

// Abroad lists the first controllers of other namespaces, among those that were
// read, that try to adopt the orphan, and fail: none may own what is elsewhere.
// n is how many there are.
func (c *Claimants) Abroad(obj metav1.Object) (first []*Controller, n int) {
	for _, one := range c.everywhere {
		if one.Ref.Namespace == obj.GetNamespace() || one.Deleting || obj.GetDeletionTimestamp() != nil || !one.matches(obj) {
			continue
		}
		if n++; n <= format.Most {
			first = append(first, one)
		}
	}
	return first, n
}

// Near lists the controllers that all but one term of their selectors match.
func (c *Claimants) Near(obj metav1.Object) []*Controller {
	in := c.in[obj.GetNamespace()]
	if in == nil {
		return nil
	}
	return in.pick(in.index.Near(obj.GetLabels()))
}

// Named lists the controllers of a namespace with a name.
func (c *Claimants) Named(namespace, name string) []*Controller {
	in := c.in[namespace]
	if in == nil {
		return nil
	}
	return in.byName[name]
}

// Namespaces lists the controllers by namespace.
func (c *Claimants) Namespaces() map[string][]*Controller {
	out := map[string][]*Controller{}
	for ns, in := range c.in {
		out[ns] = in.controllers
	}
	return out
}

func (in *claimantsIn) pick(places []int) []*Controller {
	var out []*Controller
	for _, i := range places {
		out = append(out, in.controllers[i])
	}
	return out
}

// claimerKind reads the objects of one kind as controllers of dependents.
type claimerKind struct {
	kind view.Kind
	read func(metav1.Object) (*Controller, bool)
}

// ClaimantsOf reads everything that may claim objects of a kind, in a namespace
// or in all. byName is true where controllers find their pods by an index of
// the kind, name and UID of their reference: since Kubernetes 1.34.2.
func ClaimantsOf(r *view.Reader, claimed view.Kind, namespace string, byName bool) *Claimants {
	var all []*Controller
	var unread []view.Read
	for _, k := range claimersOf(r.View, claimed) {
		need := view.Need{Kind: k.kind, Namespace: namespace, IfMissing: "whether they would adopt or release is not known"}
		objs := view.List[metav1.Object](r, need, nil)
		need.Detail = view.Full
		if err := r.Err(need); err != nil {
			unread = append(unread, view.Read{Need: need, Err: err})
			if view.NotCaptured(err) { // those that are there claim all the same
				objs = r.InHand(need)
			}
		}
		for _, obj := range objs {
			if c := k.controller(obj, claimed, byName); c != nil {
				all = append(all, c)
			}
		}
	}
	c := newClaimants(all)
	c.unread = unread
	return c
}

// ClaimantNamed reads one controller of dependents by its name, nil where there is
// none that claims objects of the kind. See ClaimantsOf.
func ClaimantNamed(r *view.Reader, claimed, kind view.Kind, namespace, name string, byName bool) *Controller {
	for _, k := range claimersOf(r.View, claimed) {
		if k.kind.GroupKind() != kind.GroupKind() {
			continue
		}
		need := view.Need{Kind: k.kind, Namespace: namespace, Name: name, IfMissing: "whether it releases the object is not known"}
		if obj, ok := view.Get[metav1.Object](r, need); ok {
			return k.controller(obj, claimed, byName)
		}
	}
	return nil
}

// controller is an object as the controller of dependents, nil where it is none.
func (k claimerKind) controller(obj metav1.Object, claimed view.Kind, byName bool) *Controller {
	c, ok := k.read(obj)
	if !ok {
		return nil
	}
	c.Kind, c.Obj, c.Ref = k.kind, obj, RefTo(k.kind, obj)
	c.Deleting = obj.GetDeletionTimestamp() != nil
	c.ByIndex = byName && claimed.Kind == view.Pods.Kind && k.kind.Typed()
	return c
}

// ClaimerKinds lists the kinds that may claim objects of a kind.
//
//go:noinline // it is called at many places
func ClaimerKinds(r *view.Reader, claimed view.Kind) []view.Kind {
	var out []view.Kind
	for _, k := range claimersOf(r.View, claimed) {
		out = append(out, k.kind)
	}
	return out
}
