package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// subject is what the arguments name: objects of one kind by name, or all of
// a kind.
type subject struct {
	controller controller.Controller
	kind       view.Kind
	// names is empty for all objects of the kind.
	names []string
	// namespace is where a manifest puts the object, empty when it does not say.
	namespace string
	// ifServed: a server without an API for the kind has no objects of it.
	ifServed bool
}

// parser reads arguments.
type parser struct{ controllers controller.Registry }

// parseSubjects reads TYPE, TYPE NAME…, and TYPE/NAME….
func (p parser) parseSubjects(args []string) ([]subject, error) {
	switch {
	case len(args) == 0:
		return nil, usageError("name what to look at, such as rs/web or rs web; kinds: %s", p.controllers.KindNames())
	case slices.Contains(args, ""):
		return nil, usageError("an argument is empty: want TYPE NAME or TYPE/NAME")
	case strings.Contains(args[0], "/"):
		return p.parseSlashed(args)
	}
	return p.parseTyped(args[0], args[1:])
}

// parseTyped reads TYPE[,TYPE...] [NAME...].
func (p parser) parseTyped(kinds string, names []string) ([]subject, error) {
	for _, name := range names {
		if strings.Contains(name, "/") {
			return nil, usageError("%q: there is no need to name a type twice; use either TYPE NAME or TYPE/NAME", name)
		}
	}
	var all []subject
	for kind := range strings.SplitSeq(kinds, ",") {
		s, err := p.subjectOf(kind, first(names))
		switch {
		case err != nil && kind == kinds && len(names) == 0 && p.maybeName(kind):
			return nil, usageError("%w; if %s is a name, write its type before it, such as deploy/%[2]s", err, kind)
		case err != nil:
			return nil, err
		}
		s.names = names
		all = append(all, s)
	}
	return all, nil
}

func (p parser) parseSlashed(args []string) ([]subject, error) {
	var all []subject
	for _, arg := range args {
		kind, name, ok := strings.Cut(arg, "/")
		if !ok {
			return nil, usageError("%q: want TYPE/NAME, like the others", arg)
		}
		if name == "" || strings.Contains(name, "/") {
			return nil, usageError("%q: want TYPE/NAME, such as rs/web", arg)
		}
		s, err := p.subjectOf(kind, name)
		if err != nil {
			return nil, err
		}
		s.names = []string{name}
		all = append(all, s)
	}
	return all, nil
}

// subjectOf are the objects of a type. name, where there is one, is for the error.
func (p parser) subjectOf(arg, name string) (subject, error) {
	c, k, ok := p.controllers.ForKind(arg)
	if !ok {
		return subject{}, p.notModelled(arg, name)
	}
	return subject{controller: c, kind: k}, nil
}

// maybeName reports whether an argument that is no modelled type is no type at all.
func (p parser) maybeName(arg string) bool {
	return !heldKind(arg) && nearestKinds(arg, p.controllers.Kinds()) == ""
}

func heldKind(arg string) bool {
	return slices.ContainsFunc(view.Kinds(), func(k view.Kind) bool { return k.Named(arg) })
}

// single reports whether one object was asked for by its name, so that the
// answer is one document and no list.
func single(subjects []subject) bool {
	return len(subjects) == 1 && len(subjects[0].names) == 1
}

// named reports whether objects were asked for by name.
func named(subjects []subject) bool { return len(subjects[0].names) > 0 }

// noArguments is for commands that take flags only.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return hint(cmd, usageError("%q: %s takes no arguments", args[0], cmd.Name()))
	}
	return nil
}

// first is the first of some names, empty without any.
func first(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return names[0]
}
