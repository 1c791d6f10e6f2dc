package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// question is what explain and plan have in common: a session, and the form
// of its answer.
type question struct {
	session
	kind  string
	whole wholePrinter
	watch bool
}

// ask checks all flags before anything is read, and answers.
func (q *question) ask(ctx context.Context, env Env, source *sourceFlags, output *outputFlags, contexts *contextFlags) error {
	if err := q.pick.check(q.subjects); err != nil {
		return err
	}
	if contexts.asked() {
		sources, err := contexts.everyone(env, source, output, q.watch)
		if err != nil {
			return err
		}
		return q.everywhere(ctx, env, sources, output)
	}
	o, err := output.options(env)
	if err != nil {
		return err
	}
	if _, err := output.toPrinter(q.kind, q.whole, o, &q.session, nil); err != nil {
		return err
	}
	if err := output.watchable(q.watch, source); err != nil {
		return err
	}
	if !named(q.subjects) {
		q.keeping = output.keeping(q.kind, q.watch)
	}
	if q.opened, err = source.open(ctx, env); err != nil {
		return err
	}
	defer q.Close()
	output.place(q.opened, source, q.kind, q.pick.allNamespaces)
	if q.opening != nil {
		q.opening(ctx, q.opened)
	}
	return output.answer(ctx, env, q.opened, q.watch, func() look { return q.look(ctx, output) })
}

// look decides as things are now.
func (q *question) look(ctx context.Context, output *outputFlags) look {
	settled, err := q.decide(ctx)
	if err != nil {
		return look{err: err}
	}
	return q.lookAt(settled, output)
}

// lookAt is a round as the flags want it printed.
func (q *question) lookAt(settled *view.Settled[round], output *outputFlags) look {
	ds, failed := settled.Value().decisions, settled.Value().failed
	ds, err := output.list.sorted(q.kind, ds)
	if err != nil {
		return look{err: err}
	}
	l := look{
		gist: gist(ds), err: failed.orNil(),
		exit: output.highest(q.kind, ds), unread: unreadOf(ds), assumed: assumedOf(ds),
	}
	if refused := refusedIn(ds); len(refused) > 0 {
		l.refused = true
		if !output.showsCaveats() {
			l.remark = errorText(refused)
		}
	}
	left := settled.Value().leftOut
	switch {
	case len(ds) == 0 && len(failed) > 0, output.cut(failed):
		return l
	case len(ds) == 0 && len(left) > 0:
		return look{err: fmt.Errorf("the bundle was captured for other answers than about %s", join(left))}
	case len(ds) == 0:
		l.remark = q.nothing()
		l.exit = q.exitOfNothing(settled.Value())
	case len(left) > 0:
		l.remark = shown("left out, since the bundle was captured for other answers: " + join(left))
	}
	l.draw = func(w io.Writer, o render.Options) error {
		out, err := output.toPrinter(q.kind, q.whole, o, &q.session, failed)
		if err != nil {
			return err
		}
		return out(w, ds)
	}
	return output.checked(l)
}

// nothing says, as kubectl get does, what was looked for in vain.
func (s *session) nothing() string {
	var kinds []string
	for _, sub := range s.subjects {
		kinds = append(kinds, sub.kind.Resource)
	}
	text := "No " + join(kinds) + " found"
	if s.pick.selector != "" {
		text += " with labels " + s.pick.selector
	}
	if s.pick.fieldSelector != "" {
		text += " with fields " + s.pick.fieldSelector
	}
	switch {
	case s.namespace != "" && !s.pick.allNamespaces:
		text += " in namespace " + s.namespace
	case s.files:
		text += " in the input"
	}
	text += "."
	if s.triage {
		text += " " + s.unlooked()
	}
	return shown(text)
}

// exitOfNothing is the status where nothing was found. What is not there has no
// state; but in a cluster or a namespace in which nothing is, nothing is stuck.
func (s *session) exitOfNothing(r round) int {
	if s.triage && s.pick.selector == "" && (r.looked || s.pick.allNamespaces) {
		return exitNothing
	}
	return exitError
}

// pending reports whether the controller would do anything, now or in a round
// that was simulated.
func pending(d *decision.Decision) bool {
	return d.Pending || d.Timeline != nil && len(d.Timeline.Rounds) > 0
}
