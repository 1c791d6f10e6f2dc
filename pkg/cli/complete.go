package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/api/validate/content"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// completionTimeout bounds what a press of the tab key may wait for.
const completionTimeout = 3 * time.Second

type completer = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective)

// completeTargets completes TYPE, TYPE NAME and TYPE/NAME of some kinds,
// from the cluster or from the files of --from.
func completeTargets(env Env, kinds []view.Kind, f *sourceFlags) completer {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		c := completion{cmd, env, f, kinds}
		return unused(c.targets(args, typed), args), cobra.ShellCompDirectiveNoFileComp
	}
}

// completion is one press of the tab key.
type completion struct {
	cmd   *cobra.Command
	env   Env
	f     *sourceFlags
	kinds []view.Kind
}

func (c completion) targets(args []string, typed string) []string {
	first := typed
	if len(args) > 0 {
		first = args[0]
	}
	kind, _, slashed := strings.Cut(first, "/")
	switch {
	case slashed:
		if typedKind, _, ok := strings.Cut(typed, "/"); ok {
			kind = typedKind
		}
		return withPrefix(kind+"/", c.names(kind))
	case len(args) == 0:
		return kindNames(c.kinds)
	}
	return c.names(first)
}

// kindNames has a second kind of one name with its group.
func kindNames(kinds []view.Kind) []string {
	var all []string
	seen := map[string]bool{}
	for _, k := range kinds {
		name := k.Resource
		if seen[name] {
			name = k.GroupResource()
		}
		for _, n := range append([]string{name}, k.Short...) {
			seen[n] = true
			all = append(all, n)
		}
	}
	return all
}

// names lists the objects of a kind.
func (c completion) names(kind string) []string {
	i := slices.IndexFunc(c.kinds, func(k view.Kind) bool { return k.Named(kind) })
	if i < 0 {
		return nil
	}
	k := c.kinds[i]
	return c.read(func(src *opened, r *view.Reader) []string {
		need := view.Need{Kind: k, Namespace: src.namespace}
		if !k.Namespaced {
			need.Namespace = ""
		}
		objs := r.Metadata(need)
		if src.namespace == "" || !k.Namespaced {
			objs = r.AllMetadata(k)
		}
		return uniqueOf(objs, metav1.Object.GetName)
	})
}

// read asks the cluster or the files. Completion has nobody to tell of errors:
// what can't be read completes to nothing. So does standard input, which is
// for the command itself.
func (c completion) read(ask func(*opened, *view.Reader) []string) []string {
	c.f.from = unique(c.f.from) // cobra reads the flags twice to complete
	if slices.Contains(c.f.from, "-") {
		return nil
	}
	ctx, cancel := context.WithTimeout(c.cmd.Context(), completionTimeout)
	defer cancel()
	src, err := c.f.open(ctx, c.env)
	if err != nil {
		return nil
	}
	defer src.Close()
	found, err := view.Settle(ctx, src, func(v *view.View) ([]string, []*view.Reader, error) {
		r := v.Reader()
		return ask(src, r), []*view.Reader{r}, nil
	})
	if err != nil {
		return nil
	}
	return found.Value()
}

// uniqueOf collects a name of objects, where it is one that the API allows.
func uniqueOf(objs []metav1.Object, of func(metav1.Object) string) []string {
	var all []string
	for _, o := range objs {
		if name := of(o); len(content.IsPathSegmentName(name)) == 0 {
			all = append(all, name)
		}
	}
	return unique(all)
}

//go:noinline // it is called at many places
func unique(all []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, text := range all {
		if !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
	}
	return out
}

func withPrefix(prefix string, names []string) []string {
	for i := range names {
		names[i] = prefix + names[i]
	}
	return names
}

//go:noinline // it is called at many places
func unused(names, used []string) []string {
	return slices.DeleteFunc(names, func(n string) bool { return slices.Contains(used, n) })
}

func completeRules(env Env) completer {
	return func(_ *cobra.Command, used []string, _ string) ([]string, cobra.ShellCompDirective) {
		ids, full := ruleNames(RuleGroups(env.Controllers))
		for _, g := range ruleGroups(env.Controllers) {
			ids = append(ids, g.ID)
		}
		return unused(append(ids, full...), used), cobra.ShellCompDirectiveNoFileComp
	}
}
