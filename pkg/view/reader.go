package view

import (
	"slices"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
)

// Reader reads a View for one decision and notes what was asked.
type Reader struct {
	*View
	mu      sync.Mutex
	asked   []Read
	byID    map[string]int
	missing []Need
	absent  []Note
	// named counts the needs for one whole object.
	named int
	brief bool
}

// Reader starts reading the View for one decision.
//
//go:noinline // it is called at many places
func (v *View) Reader() *Reader {
	return &Reader{View: v, byID: map[string]int{}}
}

// Briefly says that what is decided on r is not shown, as in a later round: what a
// decision says of one object after the other may be left out where nothing goes by it.
func (r *Reader) Briefly() *Reader {
	r.brief = true
	return r
}

// Brief reports whether r reads for a decision that is not shown.
func (r *Reader) Brief() bool { return r.brief }

// Missing lists the needs that the View does not cover. A decision made while
// something is missing is provisional: load it and decide again.
func (r *Reader) Missing() []Need { return r.missing }

// Provisional reports whether anything is missing so far. Whoever reads more only
// because of what was found reads it once that is known.
func (r *Reader) Provisional() bool { return len(r.missing) > 0 }

// Noted is what r noted so far, without the View: hundreds of Views that each
// change one object are not to stay for what was asked of them.
func (r *Reader) Noted() *Reader {
	return &Reader{asked: r.asked, byID: r.byID, missing: r.missing, absent: r.absent}
}

// Asked lists everything the decision asked for, each with the error that
// reading it met.
func (r *Reader) Asked() []Read { return r.asked }

// Err is the reason why need could not be read, or nil.
//
//go:noinline
func (r *Reader) Err(need Need) error { return r.ask(need) }

// NotInInput is the error of a kind that the given files hold no object of.
type NotInInput struct {
	Need Need
	// Vouched is true where the files say what was read, and this was not: there
	// may be objects. Other files are taken to hold what there is.
	Vouched bool
	// By is an object that refers to the one of the need; see Reader.Lack.
	By string
}

// ask notes the need and returns the error its objects were read with.
func (r *Reader) ask(need Need) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if i, ok := r.byID[need.ID()]; ok {
		if known := &r.asked[i]; known.Extra && !need.Extra {
			known.Need = need // without it, an answer lacks something
		} else if known.Err != nil && known.IfMissing != need.IfMissing && !known.Required() && !need.Required() && !need.Extra {
			r.lack(need, known.Err) // something else
		}
		return r.asked[i].Err
	}
	if need.Detail == Full && need.Name != "" {
		r.named++
	}
	if r.named > MostWhole {
		return r.tooManyNamed(need)
	}
	covered, err := r.covered(need)
	if !covered {
		r.missing = append(r.missing, need)
	} else if err == nil {
		err = r.fits(need)
	}
	r.byID[need.ID()] = len(r.asked)
	r.asked = append(r.asked, Read{need, err})
	return err
}

// tooManyNamed is the error of a need after very many for one object each, which is
// noted once.
func (r *Reader) tooManyNamed(need Need) error {
	need.Name = ""
	err := &TooMany{Need: need, Objects: r.named}
	if r.named == MostWhole+1 {
		r.asked = append(r.asked, Read{need, err})
	}
	return err
}

// covered reports whether need was tried, and with what result. A wider read
// answers for a narrower one only when it succeeded: who may not list all
// namespaces may still list one.
func (v *View) covered(need Need) (bool, error) {
	if !v.closed {
		listed := len(v.coverage[need.Kind.GroupKind()]) > 0 // an empty list says that there are none
		if s, ok := v.stores[need.Kind.GroupKind()]; !listed && (!ok || !s.holds()) {
			return true, &NotInInput{Need: need}
		}
		return true, nil
	}
	var failed error
	tried := false
	for _, read := range v.coverage[need.Kind.GroupKind()] {
		if !read.Covers(need) {
			continue
		}
		if read.Err == nil {
			return true, nil
		}
		if read.ID() == need.ID() {
			tried, failed = true, read.Err
		}
	}
	return tried, failed
}

// Knows reports whether the View holds all that a need asks for, without asking for it.
//
//go:noinline // it is called at many places
func (v *View) Knows(need Need) bool {
	covered, err := v.covered(need)
	return covered && err == nil
}

// Get returns the full object of a need with a name.
func Get[T metav1.Object](r *Reader, need Need) (T, bool) {
	var none T
	need.Detail = Full
	if r.ask(need) != nil {
		return none, false
	}
	s, ok := r.stores[need.Kind.GroupKind()]
	if !ok {
		return none, false
	}
	obj, _ := s.get(types.NamespacedName{Namespace: need.Namespace, Name: need.Name})
	t, ok := Decoded(obj).(T)
	return t, ok
}

// List returns the full objects of a need, ordered by namespace and name. The
// need's selector must come from sel; a nil sel matches everything.
func List[T metav1.Object](r *Reader, need Need, sel labels.Selector) []T {
	if !r.Readable(need, sel) {
		return nil
	}
	s, ok := r.stores[need.Kind.GroupKind()]
	if !ok {
		return nil
	}
	objs := s.selectable(need.Namespace, sel)
	var out []T
	for i, obj := range objs {
		if sel != nil && !sel.Matches(labels.Set(obj.GetLabels())) {
			continue
		}
		if t, ok := Decoded(obj).(T); ok {
			if out == nil {
				out = make([]T, 0, len(objs)-i)
			}
			out = append(out, t)
		}
	}
	return out
}

// Readable reports whether a need's whole objects could be read, those that sel selects; a
// nil sel selects everything.
func (r *Reader) Readable(need Need, sel labels.Selector) bool {
	need.Detail = Full
	if sel != nil {
		if need.Selector = SelectorText(sel); matchesNothing(sel) {
			return false
		}
	}
	return r.ask(need) == nil
}

func matchesNothing(sel labels.Selector) bool {
	_, selectable := sel.Requirements()
	return !selectable
}

func (r *Reader) inNamespace(need Need) []metav1.Object {
	s, ok := r.stores[need.Kind.GroupKind()]
	if !ok {
		return nil
	}
	return s.within(need.Namespace)
}

// ControlledBy returns the metadata of the need's objects whose controller
// reference has this UID.
//
//go:noinline
func (r *Reader) ControlledBy(need Need, uid types.UID) []metav1.Object {
	return r.metadata(need, func(ix *index) []metav1.Object {
		return slices.DeleteFunc(slices.Clone(ix.controlled[uid]), func(obj metav1.Object) bool {
			return need.Namespace != "" && obj.GetNamespace() != need.Namespace
		})
	})
}

// ListControlledBy returns those of List's objects whose controller reference has
// this UID. It looks at no others.
func ListControlledBy[T metav1.Object](r *Reader, need Need, sel labels.Selector, uid types.UID) []T {
	if !r.Readable(need, sel) {
		return nil
	}
	s, ok := r.stores[need.Kind.GroupKind()]
	if !ok {
		return nil
	}
	var out []T
	for _, obj := range s.index().controlled[uid] {
		if need.Namespace != "" && obj.GetNamespace() != need.Namespace || !sel.Matches(labels.Set(obj.GetLabels())) {
			continue
		}
		if t, ok := Decoded(obj).(T); ok {
			out = append(out, t)
		}
	}
	return out
}

// Orphans returns the metadata of the need's objects that have no controller.
func (r *Reader) Orphans(need Need) []metav1.Object {
	return r.metadata(need, func(ix *index) []metav1.Object { return slices.Clone(ix.orphans[need.Namespace]) })
}

// Metadata returns the metadata of all the need's objects.
//
//go:noinline
func (r *Reader) Metadata(need Need) []metav1.Object {
	return r.metadata(need, func(ix *index) []metav1.Object { return slices.Clone(ix.byNamespace[need.Namespace]) })
}

func (r *Reader) metadata(need Need, pick func(*index) []metav1.Object) []metav1.Object {
	need.Detail = Metadata
	if r.ask(need) != nil {
		return nil
	}
	s, ok := r.stores[need.Kind.GroupKind()]
	if !ok {
		return nil
	}
	return pick(s.index())
}
