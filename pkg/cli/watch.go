package cli

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
)

// settle is how long changes are gathered before they are answered.
const settle = 200 * time.Millisecond

func addWatch(cmd *cobra.Command, watch *bool) {
	cmd.Flags().BoolVarP(watch, "watch", "w", false, "after the answer, keep reading and print a new one whenever it changes; a terminal shows it in place, with what changed marked + and -")
}

// look is one answer: how to print it, and what makes it another one.
type look struct {
	// draw is nil when nothing could be answered.
	draw func(io.Writer, render.Options) error
	gist string
	// remark is for standard error: that nothing was found.
	remark string
	err    error
	// pending tells whether there is anything to act on, for --exit-code.
	pending bool
}

// answer prints the first look and, with watch, each one that follows. Of
// several targets those that could be decided are printed before the error of
// the others.
func (f *outputFlags) answer(ctx context.Context, env Env, src *opened, watch bool, next func() look) error {
	l := next()
	switch {
	case ctx.Err() != nil && watch:
		return nil
	case watch && l.err == nil:
		src.hush()
		return f.watch(ctx, env, src, l, next)
	}
	if err := f.write(env, l); err != nil {
		return err
	}
	switch {
	case l.err != nil:
		return l.err
	case f.exitCode && l.pending:
		return errPending
	}
	return nil
}

// watch prints each answer that differs from the one before, until the context
// ends. What goes wrong on the way may pass again: it is said, and watching
// goes on.
func (f *outputFlags) watch(ctx context.Context, env Env, src *opened, first look, next func() look) (err error) {
	d := f.display(env)
	defer func() { err = errors.Join(err, d.close()) }()
	if err := d.show(first); err != nil {
		return err
	}
	for seen := first.gist; ; {
		switch waitForChange(ctx, env, src) {
		case ended:
			return nil
		case resized:
			if err := d.resize(); err != nil {
				return err
			}
			continue
		}
		l := next()
		if l.err != nil {
			l.gist += errorText(l.err)
		}
		if ctx.Err() != nil || l.gist == seen {
			continue
		}
		seen = l.gist
		if err := d.show(l); err != nil {
			return err
		}
	}
}

// occasion is why waiting ended.
type occasion int

const (
	changed occasion = iota
	resized
	ended // the context
)

// waitForChange waits until there is something new to show.
func waitForChange(ctx context.Context, env Env, src *opened) occasion {
	select {
	case <-ctx.Done():
		return ended
	case <-env.Resized:
		return resized
	case <-src.Changes():
	}
	select {
	case <-ctx.Done():
		return ended
	case <-env.Clock.After(settle):
		return changed
	}
}
