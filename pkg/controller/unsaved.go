package controller

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// unsaved is the error of files that lack an object though they show that it is there.
func (c Controller) unsaved(r *view.Reader, t Target) error {
	if c.Unsaved == nil {
		return nil
	}
	lacks := c.Unsaved(r, t)
	if lacks == nil {
		return nil
	}
	return fmt.Errorf("%s/%s/%s: %s names %s %s, which the input does not hold: save all of them, with %s",
		t.Kind.Resource, t.Namespace, t.Name, lacks.By, strings.ToLower(lacks.Kind.Kind), lacks.Name, c.Saving(t, lacks.Kind))
}

// Saving is the command that saves a target with what its controller scales and makes, and more.
func (c Controller) Saving(t Target, more ...view.Kind) string {
	var names []string
	for _, k := range slices.Concat([]view.Kind{t.Kind}, c.Scales, []view.Kind{c.Makes()}, more) {
		name := k.Resource
		if !k.Same(c.Makes()) && len(k.Short) > 0 {
			name = k.Short[0]
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return fmt.Sprintf("kubectl get %s -n %s -o yaml", strings.Join(names, ","), t.Namespace)
}
