package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
)

const rootLong = `Predict what a controller will do next, to which objects, and by which rule.

It reads a cluster, or files saved from one, simulates the controller's decision
on what it read, and writes nothing. Where the outcome is not determined, or
is not known from outside, it says so.`

const rootExample = `  # Why does this ReplicaSet do what it does, and what will it do next?
  %[1]s explain rs/web -n shop

  # Which Pods are deleted if it is scaled down?
  %[1]s plan rs/web --replicas 2 -n shop

  # Keep what the answer depends on, and ask again later without the cluster.
  %[1]s snapshot rs/web -n shop > web.yaml
  %[1]s explain rs/web --from web.yaml`

// New is the whole command.
func New(env Env) *cobra.Command {
	env.ErrOut = env.text(env.ErrOut)
	config := genericclioptions.NewConfigFlags(true)
	root := &cobra.Command{
		Use:           strings.ReplaceAll(env.Name, " ", "-"), // one word: cobra takes the first for the name
		Short:         "Predict what a controller does next",
		Long:          rootLong,
		Example:       examples(env, rootExample),
		SilenceErrors: true,
		SilenceUsage:  true,
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: env.Name, versionNote: env.Version},
	}
	root.SetIn(env.In)
	root.SetOut(env.text(env.Out))
	root.SetErr(env.ErrOut)
	config.AddFlags(root.PersistentFlags())
	root.AddCommand(
		newExplain(env, config),
		newPlan(env, config),
		newWait(env, config),
		newOrphans(env, config),
		newOwners(env, config),
		newExpectations(env, config),
		newControllers(env, config),
		newSnapshot(env, config),
		newTrace(env, config),
		newRules(env),
		newVersion(env, config),
	)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return hint(cmd, badUsage{unknownFlag(cmd, err)}) })
	completeConfig(root, env, config)
	offerOnlyHarmless(root)
	return root
}
