package lineage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Complete says of which of the kinds a bundle holds all objects, and which
// command saves those of all: in a namespace, or everywhere where that is empty.
func Complete(r *view.Reader, namespace string, kinds []view.Kind) string {
	var names []string
	for _, k := range kinds {
		name := k.Resource
		if !k.Typed() {
			name = k.GroupResource()
		}
		if (k.Typed() || r.Mentions(k)) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	where := "-A"
	if namespace != "" {
		where = "-n " + namespace
	}
	save := fmt.Sprintf("save all with kubectl get %s %s -o yaml", strings.Join(names, ","), where)
	if whole := r.Whole(namespace, kinds); whole != "" {
		return "it holds all " + whole + "; " + save
	}
	return save
}
