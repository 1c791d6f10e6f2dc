package cli

import (
	"context"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

const explainExample = `  # What will this ReplicaSet do next, and why?
  %[1]s explain rs/web -n shop

  # Every criterion of the deletion order, every claim, the exact patches.
  %[1]s explain rs/web -n shop -o wide

  # Which workloads of a namespace are stuck, and why? Those that are come first.
  %[1]s explain -n shop

  # Why is this Pod not ready, and at how many replicas is it deleted?
  %[1]s explain pod/web-2k5qt -n shop

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

// exitsOfExplain says what --exit-code means.
const exitsOfExplain = "exit with 0 when the state is Stable, 1 when it is Reconciling, Progressing or Terminating, 2 without an answer or when it is Unknown, 3 when it is Blocked; of several objects the highest counts"

func newExplain(env Env, config *genericclioptions.ConfigFlags) *cobra.Command {
	f := &explainFlags{sourceFlags: sourceFlags{config: config}, outputFlags: newOutputFlags().withExits(exitsOfExplain)}
	cmd := &cobra.Command{
		Use:     "explain TYPE [NAME...] | TYPE/NAME... | pod/NAME... | -n NAMESPACE | -A",
		Short:   "Show the state of objects and its cause, and what their controllers do next",
		Example: examples(env, explainExample),
		RunE: hinting(func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), env, args)
		}),
		ValidArgsFunction: completeTargets(env, append(env.Controllers.Kinds(), view.Pods), &f.sourceFlags),
	}
	f.sourceFlags.add(cmd, env)
	hintFilename(cmd, env, savedFiles)
	f.pickFlags.add(cmd)
	f.addFields(cmd)
	f.addWith(cmd, pages...)
	f.contextFlags.add(cmd, config)
	f.list.add(cmd)
	addWatch(cmd, &f.watch)
	return cmd
}

func (f *explainFlags) run(ctx context.Context, env Env, args []string) error {
	if names, ok, err := podsNamed(args); ok || err != nil {
		if err != nil {
			return err
		}
		return f.pods(ctx, env, names)
	}
	subjects, err := f.subjects(env, args)
	if err != nil {
		return err
	}
	asked := session{subjects: subjects, triage: f.triages(args), closely: single(subjects), pick: f.pickFlags}
	q := question{session: asked, kind: render.ExplanationKind, whole: render.Explain, watch: f.watch}
	return q.ask(ctx, env, &f.sourceFlags, &f.outputFlags, &f.contextFlags)
}

// subjects are those of the arguments, or of all kinds for a triage.
func (f *explainFlags) subjects(env Env, args []string) ([]subject, error) {
	if f.triages(args) {
		return env.parser().everyKind()
	}
	if len(args) == 0 {
		return nil, usageError("name what to look at, such as rs/web, or ask about all workloads with -n NAMESPACE or -A; kinds: %s", env.Controllers.KindNames())
	}
	return env.parser().parseSubjects(args)
}
