package cli

import (
	"bytes"
	"context"
	"io"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// overview is what several contexts answered, in every form.
type overview struct {
	human    func(io.Writer, render.Options) error
	names    func(io.Writer) error
	document func() runtime.Object
	pending  bool
	failed   failures
}

// everywhere asks the question in several contexts and puts the answers side
// by side.
func (q *question) everywhere(ctx context.Context, env Env, sources []contextSource, output *outputFlags) error {
	all := survey(ctx, env, sources, func(ctx context.Context, o *opened) (*view.Settled[round], error) {
		s := q.session
		s.opened = o
		return s.decide(ctx)
	})
	var placed []render.Placed
	isPending := false
	for i := range all {
		t := &all[i]
		if t.answer == nil {
			continue
		}
		t.err = t.answer.Value().failed.orNil()
		for _, d := range t.answer.Value().decisions {
			placed = append(placed, render.Placed{Context: t.context, Decision: d})
			isPending = isPending || pending(d)
		}
	}
	return output.overview(env, overview{
		human: func(w io.Writer, o render.Options) error {
			return render.Everywhere(w, placed, silent(all), q.whole, q.pick.allNamespaces, o)
		},
		names:    func(w io.Writer) error { return render.PlacedNames(w, placed) },
		document: func() runtime.Object { return render.NewPlacedList(q.kind, placed, silent(all)) },
		pending:  isPending, failed: failed(all),
	})
}

// orphansEverywhere asks for orphans in several contexts.
func (f *orphansFlags) everywhere(ctx context.Context, env Env, sources []contextSource, ask ask) error {
	all := survey(ctx, env, sources, func(ctx context.Context, o *opened) (*view.Settled[reply], error) {
		return answerOnce(ctx, o, ask)
	})
	var placed []render.PlacedReport
	pending := false
	for _, t := range all {
		if t.answer != nil {
			rep := t.answer.Value().(orphanReply).rep
			placed = append(placed, render.PlacedReport{Context: t.context, Report: rep})
			pending = pending || rep.Pending
		}
	}
	return f.overview(env, overview{
		human: func(w io.Writer, o render.Options) error {
			return render.PlacedOrphans(w, placed, silent(all), o)
		},
		names:    func(w io.Writer) error { return render.PlacedOrphanNames(w, placed) },
		document: func() runtime.Object { return render.NewPlacedOrphans(placed, silent(all)) },
		pending:  pending, failed: failed(all),
	})
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
		err = v.names(&buf)
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
	if _, err := env.Out.Write(buf.Bytes()); err != nil {
		return err
	}
	switch {
	case len(v.failed) > 0:
		return v.failed
	case f.exitCode && v.pending:
		return errPending
	}
	return nil
}

// overviewable checks --output before anything is read.
func (f *outputFlags) overviewable(env Env) error {
	o, err := f.options(env)
	if err != nil {
		return err
	}
	if f.format == "" && *f.template.TemplateArgument != "" {
		f.format = "go-template" // as kubectl does
	}
	switch f.format {
	case "", "wide", "name":
		return nil
	}
	_, err = f.structured(o)
	return err
}
