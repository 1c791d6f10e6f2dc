package cli

import (
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// subject is what the arguments name: objects of one kind by name, or all of
// a kind.
type subject struct {
	plugin plugins.Plugin
	kind   view.Kind
	// names is empty for all objects of the kind.
	names []string
}

// parseSubjects reads TYPE, TYPE NAME…, and TYPE/NAME….
func parseSubjects(args []string) ([]subject, error) {
	if len(args) == 0 {
		return nil, usageError("name what to look at, such as rs/web or rs web; kinds: %s", plugins.KindNames())
	}
	if strings.Contains(args[0], "/") {
		return parseSlashed(args)
	}
	var all []subject
	for _, arg := range strings.Split(args[0], ",") {
		s, err := subjectOf(arg)
		if err != nil {
			return nil, err
		}
		for _, name := range args[1:] {
			if strings.Contains(name, "/") {
				return nil, usageError("%q: there is no need to name a type twice; use either TYPE NAME or TYPE/NAME", name)
			}
		}
		s.names = args[1:]
		all = append(all, s)
	}
	return all, nil
}

func parseSlashed(args []string) ([]subject, error) {
	var all []subject
	for _, arg := range args {
		kind, name, ok := strings.Cut(arg, "/")
		if !ok || name == "" || strings.Contains(name, "/") {
			return nil, usageError("%q: want TYPE/NAME, like the others", arg)
		}
		s, err := subjectOf(kind)
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(all, func(o subject) bool { return o.kind.Kind == s.kind.Kind }); i >= 0 {
			all[i].names = append(all[i].names, name)
			continue
		}
		s.names = []string{name}
		all = append(all, s)
	}
	return all, nil
}

func subjectOf(arg string) (subject, error) {
	p, k, ok := plugins.ForKind(arg)
	if !ok {
		return subject{}, usageError("no controller for %q is modelled; kinds: %s", arg, plugins.KindNames())
	}
	return subject{plugin: p, kind: k}, nil
}
