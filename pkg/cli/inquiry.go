package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// reply is the answer to a question that is not about one controller's next
// decision.
type reply interface {
	human(io.Writer, render.Options) error
	names(io.Writer) error
	document() runtime.Object
	// pending tells whether there is anything to act on, for --exit-code.
	pending() bool
	// gist changes when the answer does.
	gist() string
}

// graphed is a reply that can be drawn.
type graphed interface {
	graph(w io.Writer, format string) error
}

// ask answers on one View. The Readers tell what was read for it.
type ask = func(*opened, *view.View) (reply, []*view.Reader, error)

// inquire opens the source and answers once, or, with watch, whenever the
// answer changes. All flags are checked before anything is read.
func (f *outputFlags) inquire(ctx context.Context, env Env, source *sourceFlags, watch bool, ask ask) error {
	o, err := f.options(env)
	if err != nil {
		return err
	}
	show, err := f.shower(o)
	if err != nil {
		return err
	}
	if watch && len(source.from) > 0 {
		return usageError("--watch needs a cluster: files do not change")
	}
	src, err := source.open(ctx, env)
	if err != nil {
		return err
	}
	defer src.Close()
	a, err := answerOnce(ctx, src, ask)
	if err != nil {
		return err
	}
	if err := show(env.Out, a); err != nil {
		return err
	}
	if watch {
		return follow(ctx, env, src, ask, show, a.gist())
	}
	if f.exitCode && a.pending() {
		return errPending
	}
	return nil
}

func answerOnce(ctx context.Context, src *opened, ask ask) (reply, error) {
	var a reply
	_, err := view.Settle(ctx, src.Source, func(v *view.View) (readers []*view.Reader, err error) {
		a, readers, err = ask(src, v)
		return readers, err
	})
	return a, err
}

// follow prints each answer that differs from the one before.
func follow(ctx context.Context, env Env, src *opened, ask ask, show shower, seen string) error {
	s := session{opened: src}
	for s.waitForChange(ctx, env) {
		a, err := answerOnce(ctx, src, ask)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			fmt.Fprintln(env.ErrOut, errorText(err))
			continue
		case a.gist() == seen:
			continue
		}
		seen = a.gist()
		if env.Width() > 0 {
			fmt.Fprintln(env.Out)
		}
		if err := show(env.Out, a); err != nil {
			return err
		}
	}
	return nil
}

type shower = func(io.Writer, reply) error

// shower picks how --output prints, each answer at once.
func (f *outputFlags) shower(o render.Options) (shower, error) {
	form, err := f.form(o)
	if err != nil {
		return nil, err
	}
	return func(w io.Writer, a reply) error {
		var buf bytes.Buffer
		if err := form(&buf, a); err != nil {
			return err
		}
		_, err := w.Write(buf.Bytes())
		return err
	}, nil
}

func (f *outputFlags) form(o render.Options) (shower, error) {
	if f.format == "" && *f.template.TemplateArgument != "" {
		f.format = "go-template" // as kubectl does
	}
	switch f.format {
	case "", "wide":
		return func(w io.Writer, a reply) error { return a.human(w, o) }, nil
	case "name":
		return func(w io.Writer, a reply) error { return a.names(w) }, nil
	case "dot", "mermaid":
		return f.drawing, nil
	}
	p, err := f.structured(o)
	if err != nil {
		return nil, err
	}
	return func(w io.Writer, a reply) error { return p.PrintObj(a.document(), w) }, nil
}

func (f *outputFlags) drawing(w io.Writer, a reply) error {
	if g, ok := a.(graphed); ok {
		return g.graph(w, f.format)
	}
	return usageError("--output %q is for graphs, which the command owners draws", f.format)
}
