package cli

import (
	"context"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
)

const planExample = `  # What is the next step?
  %[1]s plan rs/web -n shop

  # Which Pods are deleted if it is scaled down to 2?
  %[1]s plan rs/web --replicas 2 -n shop

  # Is one of them deleted? If so, which command keeps it?
  %[1]s plan rs/web --replicas 2 -n shop --keep web-2k5qt

  # How would a CloneSet roll out another image, in part?
  %[1]s plan clone/web --image main=web:2 --partition 40%% -n shop

  # What would applying this manifest set off?
  %[1]s plan -f changed.yaml -n shop

  # How does it go on from there, until nothing is left to do?
  %[1]s plan rs/web --replicas 10 --until-stable -n shop

  # In a script: the names of the Pods at risk.
  %[1]s plan rs/web --replicas 2 -n shop -o name`

type planFlags struct {
	sourceFlags
	pickFlags
	outputFlags
	contextFlags
	changeFlags
	roundFlags
	filenames []string
	recursive bool
	keep      []string
	dryRun    string
	watch     bool
}

// exitsOfPlan says what --exit-code means.
const exitsOfPlan = "exit with 0 when no change is predicted, 1 when some are, 2 without an answer, 3 when the controller ends blocked (with --rounds or --until-stable where the rounds end, else in its next sync) or a Pod of --keep is deleted; of several objects the highest counts"

func newPlan(env Env, config *genericclioptions.ConfigFlags) *cobra.Command {
	f := &planFlags{sourceFlags: sourceFlags{config: config}, outputFlags: newOutputFlags().withExits(exitsOfPlan), changeFlags: changeFlags{controllers: env.Controllers}}
	cmd := &cobra.Command{
		Use:     "plan TYPE [NAME...] | TYPE/NAME... | -f FILE",
		Short:   "Predict what is created, deleted, adopted and released, also after a change",
		Example: examples(env, planExample),
		RunE: hinting(func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), env, args)
		}),
		ValidArgsFunction: completeTargets(env, env.Controllers.Kinds(), &f.sourceFlags),
	}
	f.sourceFlags.add(cmd, env)
	f.pickFlags.add(cmd)
	f.addFields(cmd)
	f.addWith(cmd, pages...)
	f.contextFlags.add(cmd, config)
	f.roundFlags.add(cmd)
	f.list.add(cmd)
	addWatch(cmd, &f.watch)
	f.changeFlags.add(cmd)
	register(cmd, whatif.Delete, completePods(env, &f.sourceFlags, &f.fields.Delete))
	cmd.Flags().StringArrayVar(&f.keep, "keep", nil, "say whether this Pod is kept, and how to keep it; may be given several times; with --exit-code, 3 when it is deleted or may be")
	register(cmd, "keep", completePods(env, &f.sourceFlags, &f.keep))
	cmd.Flags().StringArrayVarP(&f.filenames, "filename", "f", nil, "what if these manifests were applied: files, or directories of *.yaml, *.yml and *.json, as kubectl apply -f reads them; - is standard input")
	cmd.Flags().BoolVarP(&f.recursive, "recursive", "R", false, "with --filename: read the subdirectories of directories as well")
	cmd.Flags().StringVar(&f.dryRun, "dry-run", "none", "with --filename: server has the API server and its webhooks complete and check the manifests, which needs the verbs patch and create; none completes them locally")
	completeWith(cmd, "dry-run", "none", "server")
	return cmd
}

func (f *planFlags) run(ctx context.Context, env Env, args []string) error {
	s, err := f.session(env, args)
	if err != nil {
		return err
	}
	if s.rounds, err = f.roundFlags.options(); err != nil {
		return err
	}
	if s.keep = f.keep; len(s.keep) > 0 && !single(s.subjects) {
		return usageError("--keep is about the Pods of one object: name it, such as rs/web")
	}
	q := question{session: s, kind: render.PlanKind, whole: render.Plan, watch: f.watch}
	return q.ask(ctx, env, &f.sourceFlags, &f.outputFlags, &f.contextFlags)
}

// session reads what to look at and what to change.
func (f *planFlags) session(env Env, args []string) (session, error) {
	switch {
	case f.dryRun != "none" && f.dryRun != "server":
		return session{}, usageError("--dry-run %q: want none or server", f.dryRun)
	case f.dryRun == "server" && (len(f.filenames) == 0 || len(f.from) > 0):
		return session{}, usageError("--dry-run=server is for the manifests of --filename, and needs a cluster")
	case f.recursive && len(f.filenames) == 0:
		return session{}, usageError("--recursive is for the directories of --filename: give one")
	}
	f.allowDryRun = f.dryRun == "server"
	if len(f.filenames) > 0 {
		return f.manifests(env, args)
	}
	subjects, err := env.parser().parseSubjects(args)
	if err != nil {
		return session{}, err
	}
	s := session{subjects: subjects, pick: f.pickFlags}
	if len(f.fields.Given()) > 0 {
		s.whatIf = fieldsChanged(f.fields)
	}
	return s, f.changeFlags.check(subjects)
}
