package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
)

const waitLong = `Wait until objects are stable, blocked, or the time is up.

Like kubectl rollout status, for every modelled kind: everything desired is
there, available and of the desired revision, and the controller has observed
the latest generation. Pods that a partition or the strategy OnDelete keeps at
an older revision are no reason to wait: the object is stable, and its line says
how many are updated.

On a terminal the progress is shown in place, elsewhere a line is printed for
each change. The last line has the state and its cause.

The exit status is 0 when all objects are stable, 1 when the time is up, 2 on an
error or without a current answer, 3 as soon as one object is blocked: no
progress is expected without a change outside its controller.`

const waitExample = `  # Wait until a rollout is done, for ten minutes at most.
  %[1]s wait deploy/web -n shop --timeout 10m

  # Wait for all CloneSets with a label.
  %[1]s wait clone -l app=cart -n shop

  # Fail at once when a Pod can't be scheduled, crashes or can't pull its image.
  %[1]s wait deploy/web -n shop --blocked-for 0

  # As JSON, a document for each change.
  %[1]s wait deploy/web -n shop -o json`

type waitFlags struct {
	sourceFlags
	pickFlags
	output outputFlags
	// timeout and blockedFor are nil when they were not given.
	timeout, blockedFor *time.Duration
}

func newWait(env Env, config *genericclioptions.ConfigFlags) *cobra.Command {
	f := &waitFlags{sourceFlags: sourceFlags{config: config}, output: newOutputFlags()}
	cmd := &cobra.Command{
		Use:     "wait TYPE/NAME... | TYPE [NAME...]",
		Short:   "Wait until objects are stable, and stop at once when one is blocked",
		Long:    waitLong,
		Example: examples(env, waitExample),
		RunE: hinting(func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), env, args)
		}),
		ValidArgsFunction: completeTargets(env, env.Controllers.Assessed().Kinds(), &f.sourceFlags),
	}
	f.sourceFlags.add(cmd, env)
	hintFilename(cmd, env, namedObjects)
	f.pickFlags.add(cmd)
	f.addFields(cmd)
	f.output.addForm(cmd, "json", "yaml", "jsonpath=…", "go-template=…")
	flags := cmd.Flags()
	flags.BoolVar(&f.output.all, "no-truncate", false, "name every Pod that explains how the wait ended")
	flags.Var(optionalDuration{&f.timeout}, "timeout", "exit with 1 after this long, such as 10m (default 0: never)")
	flags.Var(optionalDuration{&f.blockedFor}, "blocked-for", "how long a cause may last until it blocks, in place of the time that each kind of cause is given; 0 fails at once; starting a container and what else every rollout passes through keeps its own time at least")
	completeWith(cmd, "timeout", "1m", "5m", "10m", "30m")
	completeWith(cmd, "blocked-for", "0", "1m", "5m")
	flags.Var(elsewhere{"wait always exits with the state: 0 stable, 1 time is up, 2 error, 3 blocked; leave --exit-code out"}, "exit-code", "")
	flags.Lookup("exit-code").NoOptDefVal = "true"
	flags.Var(elsewhere{fmt.Sprintf("%s wait waits until objects are stable; to wait for a condition or a field, use kubectl wait", env.Name)}, "for", "")
	for _, hint := range []string{"from", "at", "for", "exit-code"} {
		_ = flags.MarkHidden(hint) // there to say what to do instead
	}
	return cmd
}

func (f *waitFlags) run(ctx context.Context, env Env, args []string) error {
	if len(f.from) > 0 || f.at != "" {
		return usageError("--from: files do not change, so there is nothing to wait for: use explain --exit-code")
	}
	env.Controllers = env.Controllers.Waiting(f.blockedFor)
	subjects, err := env.parser().parseSubjects(args)
	if err != nil {
		return err
	}
	if err := assessed(env, subjects); err != nil {
		return err
	}
	if err := f.check(subjects); err != nil {
		return err
	}
	display, err := f.output.waitDisplay(env)
	if err != nil {
		return err
	}
	w := &waiting{env: env, session: session{subjects: subjects, closely: named(subjects), pick: f.pickFlags}, timeout: f.timeout, display: display}
	if w.timeout != nil && *w.timeout == 0 {
		w.timeout = nil
	}
	w.reopen = func(ctx context.Context) (*opened, error) {
		env.ErrWidth = nil // the progress says enough
		return f.open(ctx, env)
	}
	ctx, stop := w.limit(ctx)
	defer stop()
	if w.opened, err = f.open(ctx, env); err != nil {
		return w.unanswered(ctx, err)
	}
	defer w.Close()
	return w.run(ctx)
}

// assessed refuses kinds of which no state is known.
func assessed(env Env, subjects []subject) error {
	i := slices.IndexFunc(subjects, func(s subject) bool { return s.controller.Assess == nil })
	if i < 0 {
		return nil
	}
	return usageError("there is no waiting for %s: the %s controller tells no states; kinds: %s",
		subjects[i].kind.Resource, subjects[i].controller.ID, env.Controllers.Assessed().KindNames())
}

// errTimeUp ends the context of a wait whose --timeout is over.
var errTimeUp = errors.New("the time is up")

// limit ends a context after --timeout.
func (w *waiting) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	if w.timeout == nil {
		return ctx, func() { cancel(nil) }
	}
	timer := w.env.Clock.NewTimer(*w.timeout)
	go func() {
		select {
		case <-timer.C():
			cancel(errTimeUp)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { timer.Stop(); cancel(nil) }
}
