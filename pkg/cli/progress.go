package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

const (
	// patience is how long reading goes on before a word is said about it.
	patience = time.Second
	// beat is how often that word is brought up to date.
	beat = 250 * time.Millisecond
)

// reported is a Source that says on a terminal what it is reading, when that
// takes long, and takes it back before anything else is printed.
type reported struct {
	view.Source
	reporter
}

func newReported(src view.Source, env Env, server string) *reported {
	r := &reported{Source: src}
	r.reporter = reporter{env: env, reading: func() []render.Reading {
		if all := readingOf(src); len(all) > 0 {
			return all
		}
		return []render.Reading{{What: "from " + server}}
	}}
	return r
}

// Load says what is read.
func (r *reported) Load(ctx context.Context, needs []view.Need) (*view.View, error) {
	defer r.report()()
	return r.Source.Load(ctx, needs)
}

// reporting is the source for several reads at once, of which all that is read is
// said until stop is called.
func (o *opened) reporting() (src view.Source, stop func()) {
	if r, ok := o.Source.(*reported); ok {
		return r.Source, r.report()
	}
	return o.Source, func() {}
}

// Reading lists the reads that are under way.
func (r *reported) Reading() []view.Reading {
	if reporter, ok := r.Source.(view.Reporter); ok {
		return reporter.Reading()
	}
	return nil
}

// readingOf is what a source is waiting for, in words.
func readingOf(src view.Source) []render.Reading {
	var all []render.Reading
	if reporter, ok := src.(view.Reporter); ok {
		for _, one := range reporter.Reading() {
			all = append(all, render.Reading{What: one.Need.String(), Objects: one.Objects})
		}
	}
	return all
}

// hush says nothing of what is read from now on: answers have begun.
func (o *opened) hush() {
	if r, ok := o.Source.(*reported); ok {
		r.quiet = true
	}
}

// reporter says on a terminal what is being read.
type reporter struct {
	env     Env
	reading func() []render.Reading
	quiet   bool
}

// report begins to say what is read, until the function that it returns is
// called.
func (r *reporter) report() (stop func()) {
	if r.quiet || r.env.ErrWidth == nil || r.env.ErrWidth() == 0 {
		return func() {}
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		r.say(done)
	}()
	return func() {
		close(done)
		<-ended
	}
}

// say writes the line again and again, and at last wipes it.
func (r *reporter) say(done <-chan struct{}) {
	start, said := r.env.Clock.Now(), false
	timer := r.env.Clock.NewTimer(patience)
	defer timer.Stop()
	for {
		select {
		case <-done:
			if said {
				fmt.Fprint(r.env.ErrOut, "\r\x1b[K")
			}
			return
		case <-timer.C():
			line := render.Progress(r.reading(), r.env.Clock.Since(start), r.env.ErrWidth())
			fmt.Fprint(r.env.ErrOut, "\r\x1b[K"+line)
			said = true
			timer.Reset(beat)
		}
	}
}
