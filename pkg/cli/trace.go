package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/live"
)

const traceLong = `Run the controllers in dry run, event by event, beside the real ones.

Every event of the informers is handled as the controller handles it: which
branch, what that does to the expectations, which key is queued, when. Every
sync predicts; what the real controller does is then compared with that. A
controller that should have acted and has not is reported, with the
evidence. Nothing is written to the cluster.`

const traceExample = `  # What does the controller make of every event about this ReplicaSet?
  %[1]s trace rs/web -n shop

  # All controllers of a namespace for five minutes: what they do, what they
  # should have done, and whether the tool predicted it.
  %[1]s trace -n shop --duration 5m

  # The whole cluster, as JSON lines.
  %[1]s trace -A -o json

  # Keep all events, and look at them again later, without the cluster.
  %[1]s trace rs/web -n shop --duration 1m --record web.jsonl
  %[1]s trace --from web.jsonl`

type traceFlags struct {
	source sourceFlags
	pickFlags
	output   outputFlags
	from     string
	duration time.Duration
	record   string
	internal bool
	streamed bool
	workers  int

	// stop ends the trace; unwritten is why its entries can't be printed, and targets how many
	// objects there were to trace at first.
	stop      context.CancelFunc
	unwritten error
	targets   int
	// kept is the file of --record, nil for none.
	kept *recordFile
}

func newTrace(env Env, config *genericclioptions.ConfigFlags) *cobra.Command {
	f := &traceFlags{source: sourceFlags{config: config}, output: newOutputFlags()}
	cmd := &cobra.Command{
		Use:     "trace [TYPE [NAME...] | TYPE/NAME...]",
		Short:   "Run the controllers in dry run beside the real ones, event by event",
		Long:    traceLong,
		Example: examples(env, traceExample),
		RunE: hinting(func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), env, args)
		}),
		ValidArgsFunction: completeTargets(env, env.Controllers.Traced().Kinds(), &f.source),
	}
	f.add(cmd)
	flags := cmd.Flags()
	flags.DurationVar(&f.duration, "duration", 0, "stop after this long, such as 5m (default: when interrupted)")
	flags.StringVar(&f.record, "record", "", "keep the start state and all events in this file; secrets are left out")
	flags.StringVar(&f.from, "from", "", "replay a file made by --record, faster than life; - is standard input")
	flags.BoolVar(&f.internal, "internals", false, "say what informers and work queues do here: lists and watches, deltas, calls of handlers, keys; sum it up at the end")
	flags.BoolVar(&f.streamed, "stream-lists", false, "let watches bring the lists, as the managers' do since 1.35, instead of asking for pages")
	flags.IntVar(&f.workers, "workers", 0, "sync this many keys of each controller at a time (default: as many as its manager does)")
	flags.StringVar(&f.source.emulate, "emulate-version", "", "model the controller of this Kubernetes version, such as 1.31 (default: the server's)")
	flags.StringSliceVar(&f.source.gates, "feature-gates", nil, "feature gates of the controller manager, such as PodDeletionCost=false (default: those of the version)")
	flags.StringVarP(&f.output.format, "output", "o", "", "output format: wide (every event, also of many objects), json (a line for each entry)")
	flags.StringVar(&f.output.colour, "color", "auto", "colour the output: auto (on a terminal, unless NO_COLOR is set), always, never")
	flags.BoolVar(&f.output.exitCode, "exit-code", false, "exit with 0 when all is as predicted and nothing is left to do, 1 when not, more than 1 on an error")
	completeWith(cmd, "emulate-version", profileVersions()...)
	completeWith(cmd, "feature-gates", gateValues(env)...)
	completeWith(cmd, "output", "wide", "json")
	completeWith(cmd, "color", "auto", "always", "never")
	completeWith(cmd, "duration", "1m", "5m", "1h")
	return cmd
}

func (f *traceFlags) run(ctx context.Context, env Env, args []string) error {
	if err := f.check(args); err != nil {
		return err
	}
	subjects, err := f.subjects(env, args)
	if err != nil {
		return err
	}
	ctx, f.stop = context.WithCancel(ctx)
	defer f.stop()
	if f.duration > 0 {
		over := env.Clock.After(f.duration)
		go func() {
			select {
			case <-over:
				f.stop()
			case <-ctx.Done():
			}
		}()
	}
	var sum entry.Summary
	if f.from != "" {
		sum, err = f.replay(ctx, env)
	} else {
		sum, err = f.live(ctx, env, subjects)
	}
	return cmp.Or(f.unwritten, withOthers(err), f.ending(sum))
}

// ending is the error of --exit-code for what was seen.
func (f *traceFlags) ending(sum entry.Summary) error {
	switch {
	case !f.output.exitCode:
		return nil
	case sum.BlindSince != nil:
		return errors.New("a watch was broken at the end of the trace: what happened then is not known")
	case sum.Misses+sum.Late+len(sum.Open) > 0:
		return errPending
	case f.targets+sum.Syncs == 0:
		return errors.New("nothing was traced: there was no object to choose, from beginning to end")
	}
	return nil
}

func (f *traceFlags) check(args []string) error {
	switch {
	case f.output.format != "" && f.output.format != "json" && f.output.format != "wide":
		return usageError("--output %q: want wide or json", f.output.format)
	case f.duration < 0:
		return usageError("--duration %s: want a time such as 5m", f.duration)
	case f.from != "" && (len(args) > 0 || f.allNamespaces || f.selector != ""):
		return usageError("--from: the record says what was traced; leave the arguments out")
	case f.from != "" && (f.source.emulate != "" || len(f.source.gates) > 0):
		return usageError("--from: the record says which version and which feature gates were modelled; leave --emulate-version and --feature-gates out")
	case f.from != "" && *f.source.config.Namespace != "":
		return usageError("--from: the record says which namespace was traced; leave --namespace out")
	case f.from != "" && f.duration > 0:
		return usageError("--duration and --from: a replay ends with its record")
	case f.from != "" && f.streamed:
		return usageError("--stream-lists and --from: a replay asks for no lists")
	case f.from != "" && f.workers != 0:
		return usageError("--workers and --from: a replay has the workers of its record")
	case f.workers < 0 || f.workers > mostWorkers:
		return usageError("--workers %d: want 1 to %d, or 0 for as many as the manager has", f.workers, mostWorkers)
	case f.from != "" && f.record != "":
		return usageError("--record and --from: a replay is a record already")
	}
	return nil
}

// subjects are those of the arguments; none for all kinds.
func (f *traceFlags) subjects(env Env, args []string) ([]subject, error) {
	if len(args) == 0 {
		_, err := f.labels()
		return nil, err
	}
	subjects, err := env.parser().parseSubjects(args)
	if err != nil {
		return nil, err
	}
	for _, s := range subjects {
		if s.controller.Agent == nil {
			return nil, usageError("%s are not traced; traced kinds: %s", s.kind.Resource, env.Controllers.Traced().KindNames())
		}
	}
	return subjects, f.pickFlags.check(subjects)
}

func (f *traceFlags) replay(ctx context.Context, env Env) (entry.Summary, error) {
	in := env.In
	if f.from != "-" {
		file, err := os.Open(f.from)
		if err != nil {
			return entry.Summary{}, err
		}
		defer func() { _ = file.Close() }()
		in = file
	}
	rec, err := trace.OpenRecord(in)
	if err != nil {
		return entry.Summary{}, fmt.Errorf("%s: %w", f.from, err)
	}
	kinds, err := kindsNamed(env, rec.Kinds)
	if err != nil {
		return entry.Summary{}, fmt.Errorf("%s: %w", f.from, err)
	}
	o, err := f.options(env, kinds, rec.Pick, nil)
	if err != nil {
		return entry.Summary{}, err
	}
	if f.internal {
		o.Internals = &trace.Internals{}
	}
	sum, err := rec.Replay(ctx, o)
	if _, absent := errors.AsType[*trace.Absent](err); err != nil && !absent {
		err = fmt.Errorf("%s: %w", f.from, err)
	}
	return sum, err
}

// withOthers says of each target that is not there what there is instead.
func withOthers(err error) error {
	if err == nil {
		return nil
	}
	var all failures
	for _, e := range eachOf(err) {
		if absent, ok := errors.AsType[*trace.Absent](e); ok {
			e = withNear(absent.Target, absent.Others, e)
		}
		all = append(all, e)
	}
	return all
}

func (f *traceFlags) live(ctx context.Context, env Env, subjects []subject) (sum entry.Summary, err error) {
	src, err := f.source.open(ctx, env)
	if err != nil {
		return sum, err
	}
	defer src.Close()
	cluster, err := clusterOf(src)
	if err != nil {
		return sum, err
	}
	kinds, pick := f.pick(src, subjects)
	controllers := trace.Running(env.Controllers, kinds)
	needs := trace.Needs(controllers, pick.Namespace, len(kinds) > 0)
	feeds, err := trace.Feeds(cluster, needs, f.streamed)
	if err != nil {
		return sum, err
	}
	record, done, err := f.recorder(env, trace.Header{ToolVersion: env.Version, Kinds: namesOf(kinds), Pick: pick, Follows: trace.Kinds(needs)})
	if err != nil {
		return sum, err
	}
	defer func() { err = errors.Join(err, done()) }()
	o, err := f.options(env, kinds, pick, record)
	if err != nil {
		return sum, err
	}
	o.Profile = src.profile
	managers := src.workers(ctx, controllers)
	o.Workers = f.workersHere(controllers, managers)
	if wall, ok := env.Clock.(clock.WithTicker); ok && f.internal {
		o.Internals = &trace.Internals{Wall: wall, Detector: src.detector(), Workers: managers, Metrics: metrics(cluster, controllers)}
	}
	return trace.Follow(ctx, env.Clock, o, feeds, record)
}

// clusterOf is the cluster behind a source, which tells nothing of how slow a
// read is: a trace says itself when it begins.
func clusterOf(src *opened) (*live.Source, error) {
	read := src.Source
	if told, ok := read.(*reported); ok {
		read = told.Source
	}
	cluster, ok := read.(*live.Source)
	if !ok {
		return nil, errors.New("a trace needs a cluster")
	}
	return cluster, nil
}

// pick is what the arguments and flags choose.
func (f *traceFlags) pick(src *opened, subjects []subject) ([]view.Kind, trace.Pick) {
	pick := trace.Pick{Namespace: src.namespace, Selector: f.selector}
	if f.allNamespaces {
		pick.Namespace = ""
	}
	var kinds []view.Kind
	for _, s := range subjects {
		kinds = append(kinds, s.kind)
		for _, name := range s.names {
			pick.Names = append(pick.Names, s.kind.Resource+"/"+name)
		}
	}
	return kinds, pick
}

func namesOf(kinds []view.Kind) []string {
	names := []string{}
	for _, k := range kinds {
		names = append(names, k.GroupResource())
	}
	return names
}

func kindsNamed(env Env, names []string) ([]view.Kind, error) {
	var kinds []view.Kind
	for _, name := range names {
		s, err := env.parser().subjectOf(name, "")
		if err != nil {
			return nil, err
		}
		kinds = append(kinds, s.kind)
	}
	return kinds, nil
}

// recorder opens --record; done closes it.
func (f *traceFlags) recorder(env Env, head trace.Header) (*trace.Recorder, func() error, error) {
	if f.record == "" {
		return nil, func() error { return nil }, nil
	}
	file, err := openRecord(f.record)
	if err != nil {
		return nil, nil, err
	}
	f.kept = file
	return trace.NewRecorder(file, head, env.Controllers.Keep()), file.done, nil
}

// options are those of the engine: what is traced, and what is printed of it.
func (f *traceFlags) options(env Env, kinds []view.Kind, pick trace.Pick, record *trace.Recorder) (trace.Options, error) {
	picks, err := pick.Picks()
	if err != nil {
		return trace.Options{}, err
	}
	show, err := f.printer(env)
	if err != nil {
		return trace.Options{}, err
	}
	return trace.Options{
		Controllers: trace.Running(env.Controllers, kinds), Picks: picks, Named: pick.Named(kinds), Namespace: pick.Namespace,
		Brief: len(pick.Names) == 0 && f.output.format == "",
		Out: func(e *entry.Entry) {
			if err := show(f.output.out(env), e); err != nil && record == nil {
				f.unwritten = err
				f.stop()
			}
			if e.Started != nil {
				f.begin(e.Started)
			}
			if e.Act != nil && e.Act.Standing == entry.Otherwise {
				record.Miss(e)
			}
		},
	}, nil
}

// begin notes what there is to trace. The record is one from now on.
func (f *traceFlags) begin(started *entry.Start) {
	for _, n := range started.Targets {
		f.targets += n
	}
	if err := f.kept.begin(); err != nil {
		f.unwritten = err
		f.stop()
	}
}

type lineWriter = func(io.Writer, *entry.Entry) error
