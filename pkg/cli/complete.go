package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// completionTimeout bounds what a press of the tab key may wait for.
const completionTimeout = 3 * time.Second

type completer = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective)

// completeTargets completes TYPE, TYPE NAME and TYPE/NAME, from the cluster or
// from the files of --from.
func completeTargets(env Env, f *sourceFlags) completer {
	return func(cmd *cobra.Command, args []string, prefix string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 0 {
			if kind, _, slashed := strings.Cut(prefix, "/"); slashed {
				return withPrefix(kind+"/", names(cmd, env, f, kind)), cobra.ShellCompDirectiveNoFileComp
			}
			return kindNames(), cobra.ShellCompDirectiveNoFileComp
		}
		if kind, _, slashed := strings.Cut(args[0], "/"); slashed {
			return withPrefix(kind+"/", names(cmd, env, f, kind)), cobra.ShellCompDirectiveNoFileComp
		}
		return unused(names(cmd, env, f, args[0]), args[1:]), cobra.ShellCompDirectiveNoFileComp
	}
}

func kindNames() []string {
	var all []string
	for _, k := range plugins.Kinds() {
		all = append(all, k.Resource)
		all = append(all, k.Short...)
	}
	return all
}

// names lists the objects of a kind. Completion has nobody to tell of errors:
// what can't be read completes to nothing.
func names(cmd *cobra.Command, env Env, f *sourceFlags, kind string) []string {
	_, k, ok := plugins.ForKind(kind)
	if !ok {
		return nil
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), completionTimeout)
	defer cancel()
	src, err := f.open(ctx, env)
	if err != nil {
		return nil
	}
	defer src.Close()
	var objs []metav1.Object
	_, _ = view.Settle(ctx, src, func(v *view.View) ([]*view.Reader, error) {
		r := v.Reader()
		objs = r.Metadata(view.Need{Kind: k, Namespace: src.namespace})
		if src.namespace == "" {
			objs = r.All(k)
		}
		return []*view.Reader{r}, nil
	})
	out := make([]string, len(objs))
	for i, o := range objs {
		out[i] = o.GetName()
	}
	return out
}

func withPrefix(prefix string, names []string) []string {
	for i := range names {
		names[i] = prefix + names[i]
	}
	return names
}

func unused(names, used []string) []string {
	return slices.DeleteFunc(names, func(n string) bool { return slices.Contains(used, n) })
}

func completeRules(_ *cobra.Command, used []string, _ string) ([]string, cobra.ShellCompDirective) {
	return unused(plugins.Rules().IDs(), used), cobra.ShellCompDirectiveNoFileComp
}

// completeConfig completes the values of kubectl's own flags.
func completeConfig(root *cobra.Command, config *genericclioptions.ConfigFlags) {
	_ = root.RegisterFlagCompletionFunc("context", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		raw, err := config.ToRawKubeConfigLoader().RawConfig()
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var contexts []string
		for name := range raw.Contexts {
			contexts = append(contexts, name)
		}
		slices.Sort(contexts)
		return contexts, cobra.ShellCompDirectiveNoFileComp
	})
}
