package cli

import (
	"bytes"
	"fmt"
	"io"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
)

// display is where the answers of a watch appear.
type display interface {
	show(look) error
	// resize shows the latest look again, for a terminal of another size.
	resize() error
	close() error
}

// display picks a terminal's screen for answers to people, and a list of
// answers for everything else.
func (f *outputFlags) display(env Env) display {
	if !f.forPeople() || env.Width() == 0 || env.Height == nil || env.Height() == 0 || env.Getenv("TERM") == "dumb" {
		return &appended{f: f, env: env}
	}
	return &redrawn{f: f, env: env, screen: render.NewScreen(env.text(env.Out))}
}

// forPeople reports whether answers are text to read, and not for programs.
func (f *outputFlags) forPeople() bool {
	return f.format == "" && *f.template.TemplateArgument == "" || f.format == "wide"
}

// out is where answers go in their format.
func (f *outputFlags) out(env Env) io.Writer {
	if f.forPeople() {
		return env.text(env.Out)
	}
	return env.Out
}

// write prints a look at once, and what is to be said of it to standard error.
func (f *outputFlags) write(env Env, l look) error {
	f.warn(env, l.assumed)
	if l.remark != "" {
		fmt.Fprintln(env.ErrOut, l.remark)
	}
	if l.draw == nil {
		return nil
	}
	o, err := f.options(env)
	if err != nil {
		return err
	}
	var buf bytes.Buffer
	if err := l.draw(&buf, o); err != nil {
		return err
	}
	_, err = f.out(env).Write(buf.Bytes())
	return err
}

// appended writes one answer below the other.
type appended struct {
	f     *outputFlags
	env   Env
	begun bool
}

func (a *appended) show(l look) error {
	if l.err != nil {
		fmt.Fprintln(a.env.ErrOut, errorText(l.err))
	}
	if a.begun && l.draw != nil && a.env.Width() > 0 {
		fmt.Fprintln(a.env.Out)
	}
	a.begun = true
	return a.f.write(a.env, l)
}

func (a *appended) resize() error { return nil }
func (a *appended) close() error  { return nil }

// redrawn shows the latest answer in place.
type redrawn struct {
	f       *outputFlags
	env     Env
	screen  *render.Screen
	last    look // the latest that could be drawn
	trouble string
	changes int
	since   string
}

func (r *redrawn) show(l look) error {
	if r.last.draw != nil {
		r.changes++
		r.since = ", the last at " + r.env.Clock.Now().UTC().Format("15:04:05Z")
	}
	r.trouble = l.remark
	if l.err != nil {
		r.trouble = errorText(l.err)
	}
	if l.draw != nil {
		r.last = l
	}
	return r.draw(false)
}

func (r *redrawn) resize() error { return r.draw(true) }

func (r *redrawn) draw(moved bool) error {
	o, err := r.f.options(r.env)
	if err != nil {
		return err
	}
	columns := o.Width
	o.Width = render.Inside(columns)
	var buf bytes.Buffer
	if r.last.draw != nil {
		if err := r.last.draw(&buf, o); err != nil {
			return err
		}
	}
	r.screen.Answer(buf.String(), moved)
	title := fmt.Sprintf("%s: watching, %d changed answers so far%s; Ctrl-C ends", r.env.Name, r.changes, r.since)
	return r.screen.Draw(title, r.trouble, columns, r.env.Height(), o)
}

// close leaves the last answer where the watch was started.
func (r *redrawn) close() error {
	o, err := r.f.options(r.env)
	if err != nil {
		return err
	}
	var buf bytes.Buffer
	if r.last.draw != nil {
		if err := r.last.draw(&buf, o); err != nil {
			return err
		}
	}
	return r.screen.Close(buf.String())
}
