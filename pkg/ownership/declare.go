package ownership

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Claims says that objects of the kind By claim those of another, and how.
type Claims struct {
	Claimed, By view.Kind
	// Read is an object as the controller of what it claims, made by NewController; false for
	// one that claims nothing.
	Read func(metav1.Object) (*Controller, bool)
}

type declared struct{}

// Declare adds what claims to the kinds that are known here, for all who read the View from
// now on. Of several calls the first counts.
func Declare(v *view.View, all []Claims) {
	view.Derived(v, declared{}, func() []Claims { return all })
}

func declaredIn(v *view.View) []Claims {
	return view.Derived(v, declared{}, func() []Claims { return nil })
}

// claimersOf are the kinds that claim objects of a kind.
func claimersOf(v *view.View, claimed view.Kind) []claimerKind {
	all := slices.Clip(claimerKinds[claimed.GroupKind()])
	for _, c := range declaredIn(v) {
		if c.Claimed.Same(claimed) {
			all = append(all, claimerKind{c.By, c.Read})
		}
	}
	return all
}

// adoptersAmong are the kinds among those declared that adopt objects of a kind.
func adoptersAmong(v *view.View, claimed view.Kind) (all []adopterKind) {
	for _, c := range declaredIn(v) {
		if !c.Claimed.Same(claimed) {
			continue
		}
		all = append(all, adopterKind{kind: c.By, each: func(r *view.Reader, need view.Need, found func(metav1.Object, labels.Selector)) {
			for _, o := range view.List[metav1.Object](r, need, nil) {
				if one, ok := c.Read(o); ok && !one.NeverAdopts && one.Idle == nil {
					found(o, one.Selector)
				}
			}
		}})
	}
	return all
}
