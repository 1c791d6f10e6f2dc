package plugins

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
)

// Knows tells whether a what-if can change the field of this name.
func (p Plugin) Knows(field string) bool { return slices.Contains(p.Fields, field) }

// KindsWith lists the resources of the kinds that have a field of this name.
func KindsWith(field string) []string {
	var names []string
	for _, p := range All() {
		if p.Knows(field) {
			names = append(names, resources(p.Kinds)...)
		}
	}
	return names
}

func resources(kinds []view.Kind) []string {
	var names []string
	for _, k := range kinds {
		names = append(names, k.Resource)
	}
	return names
}

// onlyScaled changes objects of which nothing but replicas can be changed.
func onlyScaled(scale func(metav1.Object, int32) (metav1.Object, decision.Change, error)) func(metav1.Object, whatif.Fields) (metav1.Object, []decision.Change, error) {
	return func(obj metav1.Object, f whatif.Fields) (metav1.Object, []decision.Change, error) {
		if f.Replicas == nil {
			return obj, nil, nil
		}
		scaled, c, err := scale(obj, *f.Replicas)
		return scaled, []decision.Change{c}, err
	}
}
