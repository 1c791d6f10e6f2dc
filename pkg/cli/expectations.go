package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
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

  # Which controllers of a namespace may wait for what? Or of all namespaces.
  %[1]s expectations -n shop
  %[1]s expectations -A -l app=web

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
	pickFlags
	outputFlags
	watch bool
}

func newExpectations(env Env, config *genericclioptions.ConfigFlags) *cobra.Command {
	f := &expectationsFlags{sourceFlags: sourceFlags{config: config}, outputFlags: newOutputFlags()}
	cmd := &cobra.Command{
		Use:     "expectations TYPE/NAME | TYPE [NAME...] | -n NAMESPACE | -A",
		Short:   "Show which of its own writes a controller may still wait to see",
		Long:    expectationsLong,
		Example: examples(env, expectationsExample),
		RunE: hinting(func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), env, args)
		}),
		ValidArgsFunction: completeTargets(env, env.Controllers.Remembering().Kinds(), &f.sourceFlags),
	}
	f.sourceFlags.add(cmd, env)
	hintFilename(cmd, env, savedFiles)
	f.pickFlags.add(cmd)
	f.outputFlags.add(cmd)
	addWatch(cmd, &f.watch)
	return cmd
}

func (f *expectationsFlags) run(ctx context.Context, env Env, args []string) error {
	subjects, err := f.subjects(env, args)
	if err != nil {
		return err
	}
	for _, s := range subjects {
		if c := s.controller; c.Subject == nil {
			return usageError("the %s controller keeps no expectations%s", c.ID, instead(c))
		}
	}
	if err := f.check(subjects); err != nil {
		return err
	}
	if !single(subjects) {
		return f.inquire(ctx, env, &f.sourceFlags, f.watch, func(o *opened, v *view.View) (reply, []*view.Reader, error) {
			s := &session{opened: o, subjects: subjects, pick: f.pickFlags}
			return s.allExpectations(v)
		})
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

// subjects are those of the arguments; all kinds whose controllers keep expectations for none.
func (f *expectationsFlags) subjects(env Env, args []string) ([]subject, error) {
	switch some := f.allNamespaces || *f.config.Namespace != ""; {
	case len(args) > 0:
		return env.parser().parseSubjects(args)
	case !some:
		return parser{env.Controllers.Remembering()}.parseSubjects(nil)
	}
	all, err := env.parser().everyKind()
	return slices.DeleteFunc(all, func(s subject) bool { return s.controller.Subject == nil }), err
}

// expectations answers on one View, for the one subject.
func (s *session) expectations(v *view.View) (*inference.Report, []*view.Reader, error) {
	lister := v.Reader()
	aims, err := s.aims(lister)
	if err != nil {
		return nil, []*view.Reader{lister}, err
	}
	report, readers, err := s.expected(v, lister, aims[0])
	return report, append(readers, lister), err
}

// expected answers on one View about one target.
func (s *session) expected(v *view.View, lister *view.Reader, a aim) (*inference.Report, []*view.Reader, error) {
	d, readers, err := s.one(v, a)
	if err != nil {
		return nil, readers, s.suggest(lister, a, unserved(a.controller, err))
	}
	r := v.Reader()
	readers = append(readers, r)
	inferred, err := s.infer(r, a)
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
func (a expectationsReply) names(w io.Writer) error    { return objectNames(w, render.Expected(a.r)) }
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
