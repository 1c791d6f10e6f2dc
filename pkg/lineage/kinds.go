package lineage

import (
	"errors"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Kinds finds the kind that a reference names. Its errors are ErrNotServed,
// errNotKnown, and whatever kept the server from saying.
type Kinds func(apiVersion, kind string) (view.Kind, error)

var (
	// ErrNotServed is the error of a kind that the server says it has not.
	ErrNotServed = errors.New("the server does not serve this kind")
	// errNotKnown is the error of a kind that there is nobody to ask about.
	errNotKnown = errors.New("nothing is known of this kind")
)

// Held finds the kinds that a View holds.
//
//go:noinline // it is called at many places
func Held(apiVersion, kind string) (view.Kind, error) {
	return among(view.Kinds()).find(apiVersion, kind)
}

// HeldIn finds those and the other kinds that a View has objects of.
//
//go:noinline // it is called at many places
func HeldIn(v *view.View) Kinds {
	return func(apiVersion, kind string) (view.Kind, error) {
		k, err := Held(apiVersion, kind)
		if err == nil {
			return k, nil
		}
		if other, none := among(v.Others()).find(apiVersion, kind); none == nil {
			return other, nil
		}
		return k, err
	}
}

type among []view.Kind

func (kinds among) find(apiVersion, kind string) (view.Kind, error) {
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		return view.Kind{}, errNotKnown
	}
	err = errNotKnown
	for _, k := range kinds {
		switch {
		case k.Kind != kind:
		case k.GroupVersion() == gv || k.Group == gv.Group && !k.Typed():
			return k, nil
		case k.Typed() && (k.Group == gv.Group || gv.Group == "extensions"):
			err = ErrNotServed // such versions as extensions/v1beta1 went with 1.16
		}
	}
	return view.Kind{}, err
}
