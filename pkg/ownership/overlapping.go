package ownership

import (
	"fmt"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// NoteOverlap warns of objects that a controller selects, called by a noun, and that others
// control.
func NoteOverlap[O metav1.Object](d *decision.Decision, noun string, selected []O) {
	var n int
	others := map[string]bool{}
	for _, o := range selected {
		ref := metav1.GetControllerOfNoCopy(o)
		if ref != nil && string(ref.UID) != d.Target.UID && (ref.Kind != d.Target.Kind || ref.Name != d.Target.Name) {
			n++
			others[decision.Ref{Kind: ref.Kind, Name: ref.Name}.String()] = true
		}
	}
	if n == 0 {
		return
	}
	match := "match this one's as well, and may be adopted if they lose their ownerReference"
	if n == 1 {
		match = "matches this one's as well, and may be adopted if it loses its ownerReference"
	}
	names := slices.Sorted(maps.Keys(others))
	d.AddCaveat("SelectorsOverlap", fmt.Sprintf("overlapping selectors: %s of %s %s", format.Plural(n, noun), format.Some(names, len(names)), match))
}
