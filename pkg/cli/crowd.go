package cli

import (
	"encoding/json"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// together lists the objects of the manifests that are, or would be, in a namespace.
func (m manifests) together(namespace string) []aim {
	var all []aim
	for _, o := range m.objs {
		of := m.manifestOf(o).In(namespace)
		if of.Namespace != namespace {
			continue
		}
		c, _, _ := m.controllers.ForKind(o.Kind.GroupResource())
		all = append(all, aim{controller: c, Target: view.Target{Kind: o.Kind, Namespace: namespace, Name: of.Name}})
	}
	return all
}

// crowd gives each aim what the other objects of the what-if would create in its namespace,
// where ResourceQuotas limit that. Each plan alone takes all that a quota has left.
func (s *session) crowd(v *view.View, aims []aim, r *round) []aim {
	if s.together == nil {
		return aims
	}
	aims, asked := slices.Clone(aims), map[string]crowded{}
	for i := range aims {
		a := &aims[i]
		in, known := asked[a.Namespace]
		if !known {
			in = s.demands(v, *a, r)
			asked[a.Namespace] = in
		}
		a.demands = beside(in.over, *a, in.all, len(in.all))
	}
	return aims
}

// beside are what the first others of a namespace create, at most so many: those that are
// neither the object itself nor its controller, nor what it controls.
func beside(over *view.View, a aim, all []demanding, most int) (demands []view.Demand) {
	for i := range all {
		if most == 0 {
			break
		}
		if !related(over, all[i].Target, a.Target) {
			demands = append(demands, all[i].demands...)
			most--
		}
	}
	return demands
}

// crowded are the objects of a what-if in one namespace, and the View with all of them.
type crowded struct {
	over *view.View
	all  []demanding
}

// demanding is an object with what it would create.
type demanding struct {
	aim
	demands []view.Demand
}

// related reports whether two objects are one, or one is the controller of the other: what
// the one creates is what the other asks for.
//
//go:noinline
func related(over *view.View, a, b view.Target) bool {
	return sameTarget(a, b) || controls(over, a, b) || controls(over, b, a)
}

func controls(over *view.View, owner, t view.Target) bool {
	obj, found := over.Held(t.Kind, t.Namespace, t.Name)
	if !found {
		return false
	}
	ref := metav1.GetControllerOf(obj)
	return ref != nil && owner.Kind.Refers(ref.APIVersion, ref.Kind) && ref.Name == owner.Name
}

// demands are what all objects of the what-if in the namespace of an aim would create, none
// where it holds one object, or where no quota is known.
func (s *session) demands(v *view.View, a aim, r *round) (in crowded) {
	together := s.together(a.Namespace)
	if len(together) < 2 {
		return in
	}
	over, err := s.whatIf(v, s.profile, a.controller, a.Target)
	if err != nil || !limited(over.View, a.Namespace) {
		return in
	}
	in.over = over.View
	for _, other := range together {
		if ds := s.demandsOf(v, over, other, r); len(ds) > 0 {
			in.all = append(in.all, demanding{other, ds})
		}
	}
	return in
}

// limited reports whether a quota of the namespace is known.
func limited(v *view.View, namespace string) bool {
	return slices.ContainsFunc(v.AllMetadata(view.ResourceQuotas), func(q metav1.Object) bool { return q.GetNamespace() == namespace })
}

// demandsOf are what one object of the what-if would create by itself.
func (s *session) demandsOf(v *view.View, over *laid, a aim, r *round) []view.Demand {
	of, found := creatorOf(over.View, a)
	if !found {
		return nil
	}
	if a.controller.Decide == nil {
		return of.unplanned(a.Kind, over.changes)
	}
	d, used, err := s.one(v, a)
	r.note(used)
	if err != nil { // which the plan of the object itself says
		return nil
	}
	return of.planned(d)
}

// creatorOf is an object as one for which others are created.
//
//go:noinline
func creatorOf(v *view.View, a aim) (of creator, found bool) {
	obj, found := v.Held(a.Kind, a.Namespace, a.Name)
	if !found {
		return of, false
	}
	of.by = strings.ToLower(a.Kind.Kind) + "/" + a.Name
	text, err := json.Marshal(obj)
	return of, err == nil && json.Unmarshal(text, &of.form) == nil // else its controller can't read it either
}
