package ownership

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// Rivals are the controllers whose selectors match an object that has no
// controller.
type Rivals struct {
	// First are all of them where there are no more than format.Most. Of more,
	// they are the first that would adopt the object or, where none would, the
	// first of the others.
	First []*Controller
	// Adopting is how many would adopt the object, Refusing how many would not.
	Adopting, Refusing int
}

// Rivals finds them for an object, without the controller whose UID is except.
// ended reports whether a Pod's phase is a final one. It is called only where
// that decides.
func (c *Claimants) Rivals(obj metav1.Object, except types.UID, ended func(metav1.Object) bool) Rivals {
	in := c.in[obj.GetNamespace()]
	if in == nil {
		return Rivals{}
	}
	o := orphan{object: obj, ended: ended}
	t := in.tally(o)
	if t.few() {
		return among(t.all, o, except)
	}
	return in.rivals(t, o, except)
}

// among counts few controllers one by one.
func among(all []*Controller, o orphan, except types.UID) Rivals {
	var r Rivals
	for _, one := range all {
		if one.Obj.GetUID() == except {
			continue
		}
		r.First = append(r.First, one)
		r.count(one.adopts(o), 1)
	}
	return r
}

func (r *Rivals) count(adopting bool, n int) {
	if adopting {
		r.Adopting += n
	} else {
		r.Refusing += n
	}
}

// orphan is an object without a controller. Its phase may cost a read.
type orphan struct {
	object metav1.Object
	ended  func(metav1.Object) bool
}

// adopts reports whether Claim comes to an adoption of an object that matches.
func (c *Controller) adopts(o orphan) bool {
	return c.accepts(o) && (c.Member == nil || c.Member(o.object)) && (!c.NeverAdopts || refersTo(o.object, c.Ref.UID)) &&
		(!c.ActiveOnly || !o.ended(o.object))
}

// accepts is the part of adopts that no trait of the object but its deletion
// decides.
func (c *Controller) accepts(o orphan) bool {
	return !c.Deleting && c.Idle == nil && (c.TakesTerminating || o.object.GetDeletionTimestamp() == nil)
}

// tally counts the controllers that match objects of one class. Those that
// look at an object's name or references before they adopt are counted as
// refusing; see exceptions.
type tally struct {
	// all holds few controllers; many are counted. adopting and refusing hold the
	// first of many, one more than are named: one may be the exception.
	all, adopting, refusing []*Controller
	adopt, refuse           int
}

// tallyKey is what the controllers of a namespace look at, but for names and
// references.
type tallyKey struct {
	class              string
	terminating, ended bool
}

// tally finds or makes the count for objects like o.
func (in *claimantsIn) tally(o orphan) *tally {
	key := tallyKey{class: in.index.Class(o.object.GetLabels()), terminating: o.object.GetDeletionTimestamp() != nil}
	t := in.tallies[key]
	if t == nil {
		t = in.count(o, key)
	}
	if !t.few() && in.askEnded[key] && o.ended(o.object) {
		key.ended = true
		if t = in.tallies[key]; t == nil {
			t = in.count(o, key)
		}
	}
	return t
}

// count makes the tally of a key, and notes whether the phase decides.
func (in *claimantsIn) count(o orphan, key tallyKey) *tally {
	in.places = in.index.AppendMatching(in.places[:0], o.object.GetLabels())
	t := &tally{}
	in.tallies[key] = t
	if len(in.places) <= format.Most {
		t.all = in.pick(in.places)
		return t
	}
	for _, i := range in.places {
		one := in.controllers[i]
		adopts := one.accepts(o) && one.Member == nil && !one.NeverAdopts
		if adopts && one.ActiveOnly {
			in.askEnded[key] = true
			adopts = !key.ended
		}
		t.add(one, adopts)
	}
	return t
}

func (t *tally) few() bool { return t.adopt+t.refuse == 0 }

func (t *tally) add(one *Controller, adopts bool) {
	first, n := &t.refusing, &t.refuse
	if adopts {
		first, n = &t.adopting, &t.adopt
	}
	*n++
	if len(*first) <= format.Most {
		*first = append(*first, one)
	}
}

// exceptions are the controllers that adopt an object because of its name or
// its references, though they adopt no other of its class.
func (in *claimantsIn) exceptions(o orphan) []*Controller {
	var out []*Controller
	try := func(one *Controller, may bool) {
		if may && one.matches(o.object) && one.adopts(o) && !slices.Contains(out, one) {
			out = append(out, one)
		}
	}
	for _, one := range in.byName[parentOf(o.object.GetName())] {
		try(one, one.Member != nil)
	}
	for _, ref := range o.object.GetOwnerReferences() {
		for _, one := range in.byUID[ref.UID] {
			try(one, one.NeverAdopts)
		}
	}
	return out
}

// rivals is the tally for one object.
func (in *claimantsIn) rivals(t *tally, o orphan, except types.UID) Rivals {
	exceptions := in.exceptions(o)
	r := Rivals{Adopting: t.adopt + len(exceptions), Refusing: t.refuse - len(exceptions)}
	for _, left := range in.byUID[except] {
		if left.matches(o.object) {
			r.count(left.adopts(o), -1)
		}
	}
	not := func(one *Controller) bool { return one.Obj.GetUID() == except }
	adopting := slices.DeleteFunc(slices.Concat(exceptions, t.adopting), not)
	refusing := slices.DeleteFunc(slices.Clone(t.refusing), not)
	r.First = adopting
	if r.Adopting == 0 {
		r.First = refusing
	}
	r.First = r.First[:min(len(r.First), format.Most)]
	return r
}

// parentOf is the name of the StatefulSet whose Pod has this name.
func parentOf(pod string) string {
	return strings.TrimSuffix(strings.TrimRight(pod, "0123456789"), "-")
}
