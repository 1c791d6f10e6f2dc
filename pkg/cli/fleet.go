package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// overview is what several contexts answered, in every form.
type overview struct {
	human    func(io.Writer, render.Options) error
	names    []render.Named
	document func() runtime.Object
	exit     int
	unread   []string
	assumed  []string
	failed   failures
	refused  bool
}

// everywhere asks the question in several contexts and puts the answers side
// by side.
func (q *question) everywhere(ctx context.Context, env Env, sources []contextSource, output *outputFlags) error {
	all := survey(ctx, env, sources, func(ctx context.Context, o *opened) (*view.Settled[round], error) {
		s := q.session
		s.opened = o
		return s.decide(ctx)
	})
	if ctx.Err() != nil {
		return fmt.Errorf("no answer: %w", context.Cause(ctx))
	}
	var placed []render.Placed
	var unread, assumed []string
	exit, stopped := exitNothing, false
	for i := range all {
		t := &all[i]
		if t.answer == nil {
			continue
		}
		ds := t.answer.Value().decisions
		if t.err = t.answer.Value().failed.orNil(); output.cut(t.answer.Value().failed) {
			continue
		}
		if err := output.withheld(unreadOf(ds)); err != nil {
			t.err = errors.Join(t.err, err)
			continue
		}
		if refused := refusedIn(ds); len(refused) > 0 {
			if stopped = true; !output.showsCaveats() {
				t.err = errors.Join(t.err, refused)
			}
		}
		unread = append(unread, inContext(t.context, unreadOf(ds))...)
		assumed = append(assumed, inContext(t.context, assumedOf(ds))...)
		if len(ds) == 0 && t.err == nil {
			exit = max(exit, q.exitOfNothing(t.answer.Value()))
		}
		for _, d := range ds {
			placed = append(placed, render.Placed{Context: t.context, Decision: d})
			exit = max(exit, output.exitOf(q.kind, d))
		}
	}
	placed, err := output.list.sortedPlaced(q.kind, placed)
	if err != nil {
		return err
	}
	var named []render.Named
	for _, one := range placed {
		named = append(named, render.Named{Context: one.Context, Objects: namedBy(q.kind)(one.Decision)})
	}
	return output.overview(env, overview{
		human: func(w io.Writer, o render.Options) error {
			return render.Everywhere(w, placed, silent(all), q.whole, q.pick.allNamespaces, columnsOf(q.kind), o)
		},
		names:    named,
		document: func() runtime.Object { return render.NewPlacedList(q.kind, placed, silent(all)) },
		exit:     exit, unread: unread, assumed: assumed, failed: failed(all), refused: stopped,
	})
}

// orphansEverywhere asks for orphans in several contexts.
func (f *orphansFlags) everywhere(ctx context.Context, env Env, sources []contextSource, ask ask) error {
	all := survey(ctx, env, sources, func(ctx context.Context, o *opened) (*view.Settled[reply], error) {
		return answerOnce(ctx, o, ask)
	})
	if ctx.Err() != nil {
		return fmt.Errorf("no answer: %w", context.Cause(ctx))
	}
	var placed []render.PlacedReport
	var named []render.Named
	pending := false
	var unread, assumed []string
	for i := range all {
		t := &all[i]
		if t.answer == nil {
			continue
		}
		a := t.answer.Value().(orphanReply)
		here := decision.Unread(a.caveats())
		if t.err = f.withheld(here); t.err != nil {
			continue
		}
		placed = append(placed, render.PlacedReport{Context: t.context, Report: a.rep})
		named = append(named, render.Named{Context: t.context, Objects: render.Orphaned(a.rep)})
		pending = pending || a.rep.Pending
		unread = append(unread, inContext(t.context, here)...)
		assumed = append(assumed, inContext(t.context, decision.Assumed(a.caveats()))...)
	}
	return f.overview(env, overview{
		human: func(w io.Writer, o render.Options) error {
			return render.PlacedOrphans(w, placed, silent(all), o)
		},
		names:    named,
		document: func() runtime.Object { return render.NewPlacedOrphans(placed, silent(all)) },
		exit:     pendingExit(pending), unread: unread, assumed: assumed, failed: failed(all),
	})
}

// inContext puts the name of a context before each text.
func inContext(context string, texts []string) []string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = "context " + context + ": " + text
	}
	return out
}

// overview prints what could be answered, then fails for the rest.
func (f *outputFlags) overview(env Env, v overview) error {
	o, err := f.options(env)
	if err != nil {
		return err
	}
	var buf bytes.Buffer
	switch f.format {
	case "", "wide":
		err = v.human(&buf, o)
	case "name":
		err = render.Names(&buf, v.names...)
	default:
		p, failed := f.structured(o)
		if failed != nil {
			return failed
		}
		err = p.PrintObj(v.document(), &buf)
	}
	if err != nil {
		return err
	}
	f.warn(env, v.assumed)
	if _, err := f.out(env).Write(buf.Bytes()); err != nil {
		return err
	}
	return f.ending(outcome{v.exit, v.unread, v.failed.orNil(), v.refused})
}

// overviewable checks --output before anything is read.
func (f *outputFlags) overviewable(env Env) error {
	o, err := f.options(env)
	if err != nil {
		return err
	}
	f.takeTemplate()
	switch f.format {
	case "", "wide", "name":
		return nil
	}
	_, err = f.structured(o)
	return err
}
