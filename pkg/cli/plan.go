package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

const planExample = `  # What is the next step?
  %[1]s plan rs/web -n shop

  # Which pods go if it is scaled down to 2?
  %[1]s plan rs/web --replicas 2 -n shop

  # What would applying this manifest set off?
  %[1]s plan -f changed.yaml -n shop

  # In a script: the names of the pods at risk.
  %[1]s plan rs/web --replicas 2 -n shop -o name`

type planFlags struct {
	sourceFlags
	pickFlags
	outputFlags
	replicas  int32
	filenames []string
	watch     bool
}

func newPlan(env Env, config *genericclioptions.ConfigFlags) *cobra.Command {
	f := &planFlags{sourceFlags: sourceFlags{config: config}, outputFlags: newOutputFlags()}
	cmd := &cobra.Command{
		Use:     "plan TYPE [NAME...] | TYPE/NAME... | -f FILE",
		Short:   "Tell what would be created, deleted, adopted and released, also after a change",
		Example: examples(env, planExample),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), env, args)
		},
		ValidArgsFunction: completeTargets(env, &f.sourceFlags),
	}
	f.sourceFlags.add(cmd)
	f.pickFlags.add(cmd)
	f.outputFlags.add(cmd)
	addWatch(cmd, &f.watch)
	cmd.Flags().Int32Var(&f.replicas, "replicas", -1, "what if spec.replicas were this number")
	cmd.Flags().StringArrayVarP(&f.filenames, "filename", "f", nil, "what if these manifests were applied; - is standard input")
	return cmd
}

func (f *planFlags) run(ctx context.Context, env Env, args []string) error {
	if f.replicas < -1 {
		return usageError("--replicas %d: want 0 or more", f.replicas)
	}
	change, subjects, err := f.subjects(env, args)
	if err != nil {
		return err
	}
	o, err := f.options(env)
	if err != nil {
		return err
	}
	named := len(subjects[0].names) > 0
	out, err := f.toPrinter(render.PlanKind, human(o, render.Plan, named, f.allNamespaces))
	if err != nil {
		return err
	}
	src, err := f.open(ctx, env)
	if err != nil {
		return err
	}
	defer src.Close()
	s := &session{opened: src, subjects: subjects, pick: f.pickFlags, change: change, creates: len(f.filenames) > 0}
	return f.answer(ctx, env, s, out, f.watch)
}

// change lays what a flag says over a View.
type change = func(*view.Reader, *view.View, plugins.Plugin, view.Target) (*view.View, []decision.Change, error)

func (f *planFlags) subjects(env Env, args []string) (change, []subject, error) {
	if len(f.filenames) > 0 {
		return f.manifests(env, args)
	}
	subjects, err := parseSubjects(args)
	if err != nil || f.replicas < 0 {
		return nil, subjects, err
	}
	return f.scale, subjects, nil
}

// scale is the what-if of --replicas.
func (f *planFlags) scale(r *view.Reader, v *view.View, p plugins.Plugin, t view.Target) (*view.View, []decision.Change, error) {
	need := view.Need{Kind: t.Kind, Namespace: t.Namespace, Name: t.Name, Detail: view.Full}
	obj, ok := view.Get[metav1.Object](r, need)
	if err := r.Err(need); err != nil {
		return nil, nil, err
	}
	if !ok {
		return nil, nil, &view.NotFound{Target: t}
	}
	scaled, c, err := p.Scale(obj, f.replicas)
	if err != nil {
		return nil, nil, fmt.Errorf("%s/%s: %w", t.Kind.Resource, t.Name, err)
	}
	return v.With(t.Kind, scaled), []decision.Change{c}, nil
}
