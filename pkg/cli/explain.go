package cli

import (
	"context"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
)

const explainExample = `  # What will this ReplicaSet do next, and why?
  %[1]s explain rs/web -n shop

  # Every criterion of the deletion order, every claim, the exact patches.
  %[1]s explain rs/web -n shop -o wide

  # All ReplicaSets of a namespace, a line each.
  %[1]s explain rs -n shop

  # The same one in several clusters, side by side.
  %[1]s explain rs/web -n shop --contexts staging,prod

  # From files that someone sent.
  kubectl get rs,pods,events,resourcequotas -n shop -o yaml > shop.yaml
  %[1]s explain rs/web --from shop.yaml`

type explainFlags struct {
	sourceFlags
	pickFlags
	outputFlags
	contextFlags
	watch bool
}

func newExplain(env Env, config *genericclioptions.ConfigFlags) *cobra.Command {
	f := &explainFlags{sourceFlags: sourceFlags{config: config}, outputFlags: newOutputFlags()}
	cmd := &cobra.Command{
		Use:     "explain TYPE [NAME...] | TYPE/NAME...",
		Short:   "Tell what a controller does next to an object, and why",
		Example: examples(env, explainExample),
		RunE: hinting(func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), env, args)
		}),
		ValidArgsFunction: completeTargets(env, env.Controllers.Kinds(), &f.sourceFlags),
	}
	f.sourceFlags.add(cmd)
	f.pickFlags.add(cmd)
	f.addWith(cmd, pages...)
	f.contextFlags.add(cmd, config)
	addWatch(cmd, &f.watch)
	return cmd
}

func (f *explainFlags) run(ctx context.Context, env Env, args []string) error {
	subjects, err := env.parser().parseSubjects(args)
	if err != nil {
		return err
	}
	q := question{session: session{subjects: subjects, pick: f.pickFlags}, kind: render.ExplanationKind, whole: render.Explain, watch: f.watch}
	return q.ask(ctx, env, &f.sourceFlags, &f.outputFlags, &f.contextFlags)
}
