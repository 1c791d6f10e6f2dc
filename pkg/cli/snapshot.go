package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
)

const snapshotLong = `Writes a bundle of just what the answers about some objects depend on.

It holds the objects, the server's version, the time, and what could not be
read, so that explain and plan give the same answers from it. What could not be
read and may change these answers is an error as well, with exit status 2, unless
--allow-partial is given; the snapshot is written. Values that may
be secrets are replaced unless --unredacted is given: environment values,
arguments, commands, HTTP headers, and objects that annotations hold.`

const snapshotExample = `  # Keep what explains one ReplicaSet.
  %[1]s snapshot rs/web -n shop > web.yaml

  # Everything that is modelled in a namespace.
  %[1]s snapshot -n shop > shop.yaml`

type snapshotFlags struct {
	sourceFlags
	pickFlags
	format     string
	unredacted bool
	// allowPartial accepts a snapshot without something that could not be read.
	allowPartial bool
}

func newSnapshot(env Env, config *genericclioptions.ConfigFlags) *cobra.Command {
	f := &snapshotFlags{sourceFlags: sourceFlags{config: config}}
	cmd := &cobra.Command{
		Use:     "snapshot [TYPE [NAME...] | TYPE/NAME...]",
		Short:   "Write what the answers depend on to a file, to ask again without the cluster",
		Long:    snapshotLong,
		Example: examples(env, snapshotExample),
		RunE: hinting(func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), env, args)
		}),
		ValidArgsFunction: completeTargets(env, env.Controllers.Kinds(), &f.sourceFlags),
	}
	f.sourceFlags.add(cmd, env)
	hintFilename(cmd, env, savedFiles)
	f.pickFlags.add(cmd)
	cmd.Flags().StringVarP(&f.format, "output", "o", string(bundle.YAML), "format of the bundle: yaml, json")
	completeWith(cmd, "output", string(bundle.YAML), string(bundle.JSON))
	cmd.Flags().BoolVar(&f.unredacted, "unredacted", false, "keep environment values, arguments, commands, HTTP headers, and objects that annotations hold")
	cmd.Flags().BoolVar(&f.allowPartial, "allow-partial", false, "accept a snapshot without something that could not be read and could change answers")
	return cmd
}

func (f *snapshotFlags) run(ctx context.Context, env Env, args []string) error {
	if f.format != string(bundle.YAML) && f.format != string(bundle.JSON) {
		return usageError("--output %q is no format of a bundle: want yaml or json", f.format)
	}
	subjects, err := f.subjects(env, args)
	if err != nil {
		return err
	}
	if err := f.check(subjects); err != nil {
		return err
	}
	src, err := f.open(ctx, env)
	if err != nil {
		return err
	}
	defer src.Close()
	return f.write(ctx, env, &session{opened: src, subjects: subjects, pick: f.pickFlags})
}

func (f *snapshotFlags) write(ctx context.Context, env Env, s *session) error {
	server, err := s.Version(ctx)
	if err != nil {
		return err
	}
	v, reads, failed, err := readFor(ctx, s)
	if err != nil {
		return err
	}
	failed, lacks := f.lacking(failed, reads)
	err = bundle.Write(env.Out, v, reads, bundle.WriteOptions{
		Format: bundle.Format(f.format), Server: server, ToolVersion: env.Version, Unredacted: f.unredacted, Keep: env.Controllers.Keep(),
	})
	return errors.Join(err, failed.orNil(), lacks)
}

// lacking is the error of a snapshot without something that was to be read, and
// the failures that have another cause.
func (f *snapshotFlags) lacking(failed failures, reads []view.Read) (rest failures, _ error) {
	for _, err := range failed {
		if !errors.As(err, new(*decision.Unanswered)) {
			rest = append(rest, err)
		}
	}
	unread := lacksOf(reads)
	if len(unread) == 0 || f.allowPartial {
		return rest, nil
	}
	return rest, fmt.Errorf("partial snapshot: %s; --allow-partial accepts that", someOf(unread))
}

// lacksOf names, each once, what was not read and could change answers. Without
// the Pods of the controller manager, each answer has the caveat by itself. A
// bundle of a bundle holds no less than that.
func lacksOf(reads []view.Read) []string {
	manager := map[string]bool{}
	for _, need := range managerPods() {
		manager[need.ID()] = true
	}
	var all []string
	for _, read := range reads {
		if read.Partial() && !manager[read.ID()] && !errors.As(read.Err, new(*bundle.NotCaptured)) {
			all = append(all, read.Err.Error())
		}
	}
	return unique(all)
}

// readExpectations notes what is asked about the expectations of objects that are
// named. Of those that nobody named it is not read: it takes a list for each.
func (s *session) readExpectations(ctx context.Context, note func(*view.Reader)) error {
	if !named(s.subjects) {
		return nil
	}
	s.whatIf = nil
	settled, err := view.Settle(ctx, s.Source, func(v *view.View) ([]*view.Reader, []*view.Reader, error) {
		readers, err := s.inferAll(v)
		return readers, readers, err
	})
	if err != nil {
		return err
	}
	for _, r := range settled.Value() {
		note(r)
	}
	return nil
}

// inferAll judges the expectations about every subject, for what is read on the way.
func (s *session) inferAll(v *view.View) ([]*view.Reader, error) {
	lister := v.Reader()
	readers := []*view.Reader{lister}
	aims, err := s.aims(lister)
	if err != nil {
		return readers, err
	}
	for _, a := range aims {
		if a.controller.Subject != nil {
			r := v.Reader()
			readers = append(readers, r)
			_, _ = s.infer(r, a) // that it can't be judged is said where it is asked
		}
	}
	return readers, nil
}

// worthKeeping reports whether what was read is worth a snapshot in spite of the
// failures: all are of deciding, where what was read is known and worth a report, or
// some objects have an answer and others lack something for theirs.
func worthKeeping(r round) bool {
	answers := len(r.decisions) > 0
	return !slices.ContainsFunc(r.failed, func(err error) bool {
		return !errors.As(err, new(*decision.Undecidable)) && (!answers || !errors.As(err, new(*decision.Unanswered)))
	})
}

func (f *snapshotFlags) subjects(env Env, args []string) ([]subject, error) {
	if len(args) > 0 {
		return env.parser().parseSubjects(args)
	}
	return env.parser().everyKind()
}

// readFor decides about the session's subjects as they are, scaled far down,
// scaled far up and with another image, so that the bundle answers what-ifs as
// well, and returns everything that was asked for on the way, and the controller
// manager. failed are the objects that can't be decided about as they are.
//
// What comes too late for one of these decisions may be there for the next, and what
// the former would have asked for was not: then all are made again.
func readFor(ctx context.Context, s *session) (v *view.View, reads []view.Read, failed failures, err error) {
	s.keeping = func() keep { return target }
	for range mostPasses {
		asked := askedReads{byID: map[string]int{}}
		if v, failed, err = s.readOnce(ctx, asked.note); err != nil {
			return nil, nil, nil, err
		}
		if reads = asked.all; !asked.late {
			break
		}
	}
	return v, reads, failed, nil
}

// mostPasses bounds how often decisions are made again for what came too late. What
// came too late for the last ones counts as not read.
const mostPasses = 3

// askedReads are what was asked for, each once.
type askedReads struct {
	all  []view.Read
	byID map[string]int
	// late reports whether something was not there for one question, and was for a later one.
	late bool
}

func (a *askedReads) note(r *view.Reader) {
	for _, read := range r.Asked() {
		i, have := a.byID[read.ID()]
		switch {
		case !have:
			a.byID[read.ID()] = len(a.all)
			a.all = append(a.all, read)
		case a.all[i].Err != nil && read.Err == nil:
			a.late = true
		default:
			a.all[i] = read
		}
	}
}

// readOnce makes each of the decisions once.
func (s *session) readOnce(ctx context.Context, note func(*view.Reader)) (_ *view.View, failed failures, _ error) {
	for _, change := range []change{nil, scaleTo(1), scaleTo(1 << 20), fieldsChanged(whatif.Fields{Images: map[string]string{"*": "another"}})} {
		s.whatIf = change
		settled, err := s.decide(ctx)
		if err != nil {
			return nil, nil, err
		}
		if r := settled.Value(); !worthKeeping(r) {
			return nil, nil, r.failed
		} else if change == nil {
			failed = r.failed
		}
		for _, r := range settled.Value().readers {
			note(r)
		}
	}
	if err := s.readExpectations(ctx, note); err != nil {
		return nil, nil, err
	}
	manager, err := view.Settle(ctx, s.Source, func(v *view.View) (*view.Reader, []*view.Reader, error) {
		r := v.Reader()
		for _, need := range managerPods() {
			_ = r.Err(need) // it is noted with what is read
		}
		return r, []*view.Reader{r}, nil
	})
	if err != nil {
		return nil, nil, err
	}
	note(manager.Value())
	return manager.View(), failed, nil
}
