package cli

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// held is the target as files hold it, in whatever detail; nil when they don't.
func held(v *view.View, t view.Target) metav1.Object {
	obj, ok := v.Held(t.Kind, t.Namespace, t.Name)
	if !ok {
		return nil
	}
	return obj
}

// leftOut is the error of files with the target but none of the objects that it says it
// has, or of the sets that they are in: they were not saved, and a decision without
// them would look whole. A bundle, and an empty list, say themselves what was read. Who
// scales others leaves the objects to them, unless all of them are simulated.
func leftOut(v *view.View, a aim, obj metav1.Object, simulated bool) error {
	t, made := a.Target, a.controller.Makes()
	counted, _ := view.StatusNumber(obj, "replicas")
	if counted == 0 {
		return nil
	}
	kinds, lacks := slices.Clone(a.controller.Scales), view.Kind{}
	if len(kinds) == 0 || simulated {
		kinds = append(kinds, made)
	}
	for _, k := range slices.Backward(kinds) {
		need := view.Need{Kind: k, Namespace: t.Namespace, IfMissing: "only asked whether they were saved"}
		if !v.Vouches(k) && len(v.Reader().Metadata(need)) == 0 {
			lacks = k
		}
	}
	if lacks.Kind == "" {
		return nil
	}
	return fmt.Errorf("%s/%s/%s counts %d %ss in its status, but the input holds no %s of namespace %s: save them as well, with %s",
		t.Kind.Resource, t.Namespace, t.Name, counted, made.Kind, strings.ToLower(lacks.Kind), t.Namespace, a.controller.Saving(t))
}

// few names are listed whole.
const few = 3

// withNear says what there is instead of a target that was not found.
func withNear(t view.Target, names []string, err error) error {
	meant := didYouMean(t.Name, names)
	switch {
	case meant != "":
		return fmt.Errorf("%w%s", err, meant)
	case len(names) == 0:
		return fmt.Errorf("%w, which holds no %s", err, t.Kind.Resource)
	case len(names) <= few:
		return fmt.Errorf("%w, which holds %s", err, join(names))
	}
	return fmt.Errorf("%w, which holds %d other %s", err, len(names), t.Kind.Resource)
}
