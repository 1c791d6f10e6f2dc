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

  # From files that someone sent.
  kubectl get rs,pods,events,resourcequotas -n shop -o yaml > shop.yaml
  %[1]s explain rs/web --from shop.yaml`

type explainFlags struct {
	sourceFlags
	pickFlags
	outputFlags
	watch bool
}

func newExplain(env Env, config *genericclioptions.ConfigFlags) *cobra.Command {
	f := &explainFlags{sourceFlags: sourceFlags{config: config}, outputFlags: newOutputFlags()}
	cmd := &cobra.Command{
		Use:     "explain TYPE [NAME...] | TYPE/NAME...",
		Short:   "Tell what a controller does next to an object, and why",
		Example: examples(env, explainExample),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), env, args)
		},
		ValidArgsFunction: completeTargets(env, &f.sourceFlags),
	}
	f.sourceFlags.add(cmd)
	f.pickFlags.add(cmd)
	f.outputFlags.add(cmd)
	addWatch(cmd, &f.watch)
	return cmd
}

func (f *explainFlags) run(ctx context.Context, env Env, args []string) error {
	subjects, err := parseSubjects(args)
	if err != nil {
		return err
	}
	o, err := f.options(env)
	if err != nil {
		return err
	}
	named := len(subjects[0].names) > 0
	out, err := f.toPrinter(render.ExplanationKind, human(o, render.Explain, named, f.allNamespaces))
	if err != nil {
		return err
	}
	src, err := f.open(ctx, env)
	if err != nil {
		return err
	}
	defer src.Close()
	s := &session{opened: src, subjects: subjects, pick: f.pickFlags}
	return f.answer(ctx, env, s, out, f.watch)
}
