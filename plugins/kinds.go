package plugins

import (
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Kinds lists every kind that some plugin decides.
func Kinds() []view.Kind {
	var all []view.Kind
	for _, p := range All() {
		all = append(all, p.Kinds...)
	}
	return all
}

// KindNames lists them for messages: "replicasets (rs), replicationcontrollers (rc)".
func KindNames() string {
	var names []string
	for _, k := range Kinds() {
		name := k.Resource
		if len(k.Short) > 0 {
			name += " (" + strings.Join(k.Short, ", ") + ")"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}
