package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
)

const versionExample = `  # The tool's own version and the controllers it models.
  %[1]s version --client`

func newVersion(env Env, config *genericclioptions.ConfigFlags) *cobra.Command {
	var client bool
	f := &sourceFlags{config: config}
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Tell the version of the tool, and which controller is modelled for the cluster",
		Args:    noArguments,
		Example: examples(env, versionExample),
		RunE: hinting(func(cmd *cobra.Command, _ []string) error {
			fmt.Fprintf(env.Out, "%s %s\nmodels the controllers of Kubernetes %s to %s, and of Kruise %s to %s\n",
				strings.ReplaceAll(env.Name, " ", "-"), env.Version, profile.Oldest, profile.Newest, profile.OldestKruise, profile.NewestKruise)
			if client {
				return nil
			}
			return printServer(cmd.Context(), env, f)
		}),
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	cmd.Flags().BoolVar(&client, "client", false, "print what needs no cluster")
	return cmd
}

func printServer(ctx context.Context, env Env, f *sourceFlags) error {
	src, err := f.open(ctx, env)
	if err != nil {
		return err
	}
	defer src.Close()
	fmt.Fprintf(env.Out, "for this cluster: Kubernetes %s (%s)\n", src.profile.Kubernetes, src.profile.Basis)
	if src.profile.Caveat != "" {
		fmt.Fprintf(env.Out, "%s [VersionNotKnown]\n", shown(src.profile.Caveat))
	}
	return nil
}
