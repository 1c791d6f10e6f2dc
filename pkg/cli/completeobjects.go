package cli

import (
	"strings"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// completeObjects completes one TYPE/NAME, or TYPE and NAME, of any kind that
// can be asked about: from the cluster, or from the files of --from.
func completeObjects(env Env, f *sourceFlags) completer {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		c := completion{cmd, env, f, view.Kinds()}
		kind, _, slashed := strings.Cut(typed, "/")
		switch {
		case len(args) == 0 && slashed:
			return withPrefix(kind+"/", c.objects(kind)), cobra.ShellCompDirectiveNoFileComp
		case len(args) == 0:
			return c.present(), cobra.ShellCompDirectiveNoFileComp
		case len(args) == 1 && !strings.Contains(args[0], "/"):
			return c.objects(args[0]), cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
}

// present lists those that a View holds, and of files those that there are
// objects of.
func (c completion) present() []string {
	if len(c.f.from) == 0 {
		return kindNames(view.Kinds())
	}
	return c.read(func(_ *opened, r *view.Reader) []string {
		kinds := r.Others()
		for _, k := range view.Kinds() {
			if len(r.AllMetadata(k)) > 0 {
				kinds = append(kinds, k)
			}
		}
		return kindNames(kinds)
	})
}

// objects lists the objects of a kind by name.
func (c completion) objects(arg string) []string {
	return c.read(func(src *opened, r *view.Reader) []string {
		k, err := kindFinder{config: c.f.config, files: src.files, others: r.Others()}.named(arg)
		if err != nil {
			return nil
		}
		objs := r.AllMetadata(k)
		if !src.files {
			need := view.Need{Kind: k}
			if k.Namespaced {
				need.Namespace = src.namespace
			}
			objs = r.Metadata(need)
		}
		return uniqueOf(objs, metav1.Object.GetName)
	})
}
