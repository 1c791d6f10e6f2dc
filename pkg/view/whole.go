package view

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// What one answer may decode: so many objects, and so many bytes of memory, as far
// as that can be estimated.
const (
	MostWhole  = 400_000
	MostWeight = 4 << 30
)

// TooMany is the error of a read that would decode more than one answer may. The
// View holds all that the need asks for.
type TooMany struct {
	Need Need
	// Objects is how many there are, Bytes about how much memory they take.
	Objects, Bytes int
}

func (e *TooMany) Error() string {
	const instead = "leave some out of the files, or ask about another object by its name"
	if e.Bytes <= MostWeight {
		return fmt.Sprintf("%s: %d objects, and one answer reads at most %d whole: %s", e.Need, e.Objects, MostWhole, instead)
	}
	return fmt.Sprintf("%s: %d objects that take about %d MiB, and one answer takes at most %d: %s", e.Need, e.Objects, e.Bytes>>20, MostWeight>>20, instead)
}

// load is how many objects there are, and how many of them, of which weight, are yet
// to be decoded.
type load struct{ objects, deferred, bytes int }

func (l *load) add(obj metav1.Object) {
	l.objects++
	if d, ok := obj.(Deferred); ok {
		l.deferred++
		l.bytes += d.Weight()
	}
}

// fits reports whether one answer may decode them. laid of them were not read: what
// fits in a View does in each that is made of it.
func (l load) fits(laid int) bool {
	return l.deferred == 0 || l.objects-laid <= MostWhole && l.bytes <= MostWeight
}

func loadOf(objs []metav1.Object) (l load) {
	for _, obj := range objs {
		l.add(obj)
	}
	return l
}

// fits is the error of a need for more whole objects than one answer may read, nil
// for others.
func (v *View) fits(need Need) error {
	s, held := v.stores[need.Kind.GroupKind()]
	if need.Detail != Full || need.Name != "" || !held || s.index().load.fits(s.laid) {
		return nil
	}
	sel, err := labels.Parse(need.Selector)
	if err != nil {
		sel = labels.Everything()
	}
	var l load
	for _, obj := range s.within(need.Namespace) {
		if sel.Matches(labels.Set(obj.GetLabels())) {
			l.add(obj)
		}
	}
	if l.fits(s.laid) {
		return nil
	}
	return &TooMany{need, l.objects, l.bytes}
}
