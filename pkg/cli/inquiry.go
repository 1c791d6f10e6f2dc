package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render/html"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// reply is the answer to a question that is not about one controller's next
// decision.
type reply interface {
	human(io.Writer, render.Options) error
	names(io.Writer) error
	document() runtime.Object
	// pending reports whether there is anything to act on, for --exit-code.
	pending() bool
	// unread names what was not read and could change the answer.
	caveats() []decision.Caveat
	// gist changes when the answer does.
	gist() string
}

// stated is a reply that tells states, each with an exit status of its own.
type stated interface{ exit(*outputFlags) int }

func (f *outputFlags) exitOfReply(a reply) int {
	if s, ok := a.(stated); ok {
		return s.exit(f)
	}
	return pendingExit(a.pending())
}

// turning is a reply that becomes another one at an instant though nothing
// else changes.
type turning interface{ turns() *time.Time }

func turns(a reply) *time.Time {
	if t, ok := a.(turning); ok {
		return t.turns()
	}
	return nil
}

// graphed is a reply that can be drawn.
type graphed interface {
	graph(w io.Writer, format string) error
}

// paged is a reply that can be one page.
type paged interface {
	page(io.Writer, html.About) error
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
	if _, err := f.form(o); err != nil {
		return err
	}
	if err := f.watchable(watch, source); err != nil {
		return err
	}
	src, err := source.open(ctx, env)
	if err != nil {
		return err
	}
	defer src.Close()
	f.place(src, source, "", false)
	return f.answer(ctx, env, src, watch, func() look {
		a, err := answerOnce(ctx, src, ask)
		if err != nil {
			return look{err: err}
		}
		return f.lookAt(a)
	})
}

// lookAt is a reply as the flags want it printed.
func (f *outputFlags) lookAt(settled *view.Settled[reply]) look {
	a := settled.Value()
	unread, assumed := decision.Unread(a.caveats()), unique(decision.Assumed(a.caveats()))
	return f.checked(look{gist: a.gist(), exit: f.exitOfReply(a), unread: unread, assumed: assumed, turns: turns(a), draw: func(w io.Writer, o render.Options) error {
		show, err := f.form(o)
		if err != nil {
			return err
		}
		return show(w, a)
	}})
}

func answerOnce(ctx context.Context, src *opened, ask ask) (*view.Settled[reply], error) {
	return view.Settle(ctx, src.Source, func(v *view.View) (reply, []*view.Reader, error) {
		src.controllers.Declare(v)
		return ask(src, v)
	})
}

type shower = func(io.Writer, reply) error

// form picks how --output prints.
func (f *outputFlags) form(o render.Options) (shower, error) {
	f.takeTemplate()
	switch f.format {
	case "", "wide":
		return func(w io.Writer, a reply) error { return a.human(w, o) }, nil
	case "name":
		return func(w io.Writer, a reply) error { return a.names(w) }, nil
	case "html":
		if slices.Contains(f.formats, f.format) {
			return f.page, nil
		}
	case "dot", "mermaid":
		return f.drawing, nil
	}
	p, err := f.structured(o)
	if err != nil {
		return nil, err
	}
	return func(w io.Writer, a reply) error { return p.PrintObj(a.document(), w) }, nil
}

func (f *outputFlags) page(w io.Writer, a reply) error {
	if p, ok := a.(paged); ok {
		return p.page(w, f.about)
	}
	return fmt.Errorf("%T has no page", a) // a command that offers pages and has none
}

func (f *outputFlags) drawing(w io.Writer, a reply) error {
	if g, ok := a.(graphed); ok {
		return g.graph(w, f.format)
	}
	return usageError("--output %q is for graphs, which the command owners draws", f.format)
}
