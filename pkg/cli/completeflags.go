package cli

import (
	"maps"
	"slices"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// completeWith completes a flag's value with what it may be, never with files.
func completeWith(cmd *cobra.Command, flag string, values ...string) {
	register(cmd, flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// register panics when there is no such flag: a programming error.
func register(cmd *cobra.Command, flag string, c completer) {
	if err := cmd.RegisterFlagCompletionFunc(flag, offered(c)); err != nil {
		panic(err)
	}
}

// profileVersions lists the versions that are modelled, the newest first.
func profileVersions() []string {
	var all []string
	for v := profile.Newest; v.Minor >= profile.Oldest.Minor; v.Minor-- {
		all = append(all, v.String())
	}
	return all
}

func gateValues(env Env) []string { return onOff(env.Controllers.Releases().GateNames()) }

func onOff(gates []string) []string {
	var all []string
	for _, name := range gates {
		all = append(all, name+"=true", name+"=false")
	}
	return all
}

// completeConfig completes the values of kubectl's own flags.
func completeConfig(root *cobra.Command, env Env, config *genericclioptions.ConfigFlags) {
	for _, flag := range []string{"context", "cluster", "user"} {
		register(root, flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return inKubeconfig(config, flag), cobra.ShellCompDirectiveNoFileComp
		})
	}
	register(root, "namespace", completeNamespaces(env, config))
}

// inKubeconfig lists the names that the kubeconfig has for a flag.
func inKubeconfig(config *genericclioptions.ConfigFlags, flag string) []string {
	raw, err := config.ToRawKubeConfigLoader().RawConfig()
	switch {
	case err != nil:
		return nil
	case flag == "context":
		return slices.Sorted(maps.Keys(raw.Contexts))
	case flag == "cluster":
		return slices.Sorted(maps.Keys(raw.Clusters))
	}
	return slices.Sorted(maps.Keys(raw.AuthInfos))
}

// completeNamespaces lists the namespaces of the cluster, or those that files
// hold something to ask about in.
func completeNamespaces(env Env, config *genericclioptions.ConfigFlags) completer {
	return func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		from, _ := cmd.Flags().GetStringArray("from") // not all commands have it
		c := completion{cmd: cmd, env: env, f: &sourceFlags{config: config, from: from}}
		return c.read(func(src *opened, r *view.Reader) []string {
			if !src.files {
				return uniqueOf(r.Metadata(view.Need{Kind: view.Namespaces}), metav1.Object.GetName)
			}
			var objs []metav1.Object
			for _, k := range env.Controllers.Kinds() {
				objs = append(objs, r.AllMetadata(k)...)
			}
			return uniqueOf(objs, metav1.Object.GetNamespace)
		}), cobra.ShellCompDirectiveNoFileComp
	}
}

// completePods completes names of pods, but those that were given already.
func completePods(env Env, f *sourceFlags, given *[]string) completer {
	return func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		c := completion{cmd, env, f, []view.Kind{view.Pods}}
		return unused(c.names("pods"), *given), cobra.ShellCompDirectiveNoFileComp
	}
}
