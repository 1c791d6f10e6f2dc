package cli

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/inference"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

const expectationsExample = `  # Does the controller still wait to see its own last writes?
  %[1]s expectations rs/web -n shop

  # Follow it until it does not.
  %[1]s expectations rs/web -n shop -w

  # Only the verdict: Satisfied, PossiblyPending, Expired, NoActiveLeader or NotApplicable.
  %[1]s expectations rs/web -n shop -o jsonpath='{.inferred.verdict}'`

const expectationsLong = `Show which of its own writes a controller may still wait to see.

A controller notes the Pods that it creates and deletes, and does neither again
until its watch has shown them. That note is in its memory, which can't be
read. The answer says what can be inferred of it, from the Pods, events, status
and Lease of the last five minutes, with what that can't tell and what would
settle it; and what the simulated controller computes for its next action.`

type expectationsFlags struct {
	sourceFlags
	outputFlags
	watch bool
}

func newExpectations(env Env, config *genericclioptions.ConfigFlags) *cobra.Command {
	f := &expectationsFlags{sourceFlags: sourceFlags{config: config}, outputFlags: newOutputFlags()}
	cmd := &cobra.Command{
		Use:     "expectations TYPE/NAME | TYPE NAME",
		Short:   "Show which of its own writes a controller may still wait to see",
		Long:    expectationsLong,
		Example: examples(env, expectationsExample),
		RunE: hinting(func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), env, args)
		}),
		ValidArgsFunction: completeTargets(env, env.Controllers.Remembering().Kinds(), &f.sourceFlags),
	}
	f.sourceFlags.add(cmd)
	hintFilename(cmd, env, savedFiles)
	f.outputFlags.add(cmd)
	addWatch(cmd, &f.watch)
	return cmd
}

func (f *expectationsFlags) run(ctx context.Context, env Env, args []string) error {
	subjects, err := env.parser().parseSubjects(args)
	if err != nil {
		return err
	}
	if !single(subjects) {
		return usageError("name one object, such as rs/web or cloneset sample")
	}
	if c := subjects[0].controller; c.Subject == nil {
		return usageError("the %s controller keeps no expectations%s", c.ID, instead(c))
	}
	return f.inquire(ctx, env, &f.sourceFlags, f.watch, func(o *opened, v *view.View) (reply, []*view.Reader, error) {
		report, readers, err := (&session{opened: o, subjects: subjects}).expectations(v)
		return expectationsReply{report}, readers, err
	})
}

// instead says what to ask about in place of a controller that only scales others.
func instead(c controller.Controller) string {
	if len(c.Scales) == 0 {
		return ""
	}
	name := c.Scales[0].Resource
	if short := c.Scales[0].Short; len(short) > 0 {
		name = short[0]
	}
	return "; ask about what it controls, such as " + name + "/NAME"
}

// expectations answers on one View, for the one subject.
func (s *session) expectations(v *view.View) (*inference.Report, []*view.Reader, error) {
	lister := v.Reader()
	readers := []*view.Reader{lister}
	aims, err := s.aims(lister)
	if err != nil {
		return nil, readers, err
	}
	d, used, err := s.one(v, aims[0])
	readers = append(readers, used...)
	if err != nil {
		return nil, readers, s.suggest(lister, aims[0], unserved(aims[0].controller, err))
	}
	r := v.Reader()
	readers = append(readers, r)
	inferred, err := s.infer(r, aims[0])
	if err != nil {
		return nil, readers, err
	}
	controller.NoteGaps(d, r)
	return inference.NewReport(d, inferred), readers, nil
}

// infer judges from outside. A panic is the target's error.
func (s *session) infer(r *view.Reader, a aim) (_ *inference.Inferred, err error) {
	defer controller.Caught(a.Target, &err)
	subject, err := a.controller.Subject(r, s.profile, a.Target)
	if err != nil {
		return nil, err
	}
	return inference.Infer(r, subject), nil
}

// expectationsReply prints a Report.
type expectationsReply struct{ r *inference.Report }

func (a expectationsReply) human(w io.Writer, o render.Options) error {
	return render.Expectations(w, a.r, o)
}
func (a expectationsReply) names(w io.Writer) error    { return render.ExpectedNames(w, a.r) }
func (a expectationsReply) document() runtime.Object   { return render.NewExpectationsDocument(a.r) }
func (a expectationsReply) caveats() []decision.Caveat { return a.r.Caveats }

// pending: what may be waited for is something to act on.
func (a expectationsReply) pending() bool {
	v := a.r.Inferred.Verdict
	return v == inference.PossiblyPending || v == inference.NoActiveLeader
}

func (a expectationsReply) turns() *time.Time { return a.r.Inferred.Turns }

func (a expectationsReply) gist() string {
	i := a.r.Inferred
	text := fmt.Sprint(i.Rule, i.Creations, i.Deletions, i.Updates, i.Then.Rule, i.Expires, a.r.Computed.Pending)
	for _, e := range i.Evidence {
		text += "|" + e.Rule + e.Source.String()
	}
	for _, e := range i.Settle {
		text += "|" + e.Message
	}
	return text
}
