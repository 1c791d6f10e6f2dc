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

// watchable refuses what can't be watched, or printed again and again.
func (f *outputFlags) watchable(watch bool, source *sourceFlags) error {
	switch {
	case watch && len(source.from) > 0:
		return usageError("--watch needs a cluster: files do not change")
	case watch && f.format == "html":
		return usageError("--watch prints answers one after the other, and --output html is one page: give one of them")
	}
	return nil
}

// look is one answer: how to print it, and what makes it another one.
type look struct {
	// draw is nil when nothing could be answered.
	draw func(io.Writer, render.Options) error
	gist string
	// remark is for standard error: that nothing was found.
	remark string
	err    error
	// exit is the status for --exit-code.
	exit int
	// turns is when the answer changes by time alone, nil for never.
	turns *time.Time
	// unread names what was not read and could change the answer.
	unread []string
	// assumed is what a whole answer takes for granted.
	assumed []string
	// refused reports whether a what-if would not be stored.
	refused bool
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
	return f.ending(outcome{l.exit, l.unread, l.err, l.refused})
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
	for seen, last := first.gist, first; ; {
		switch waitForChange(ctx, env, src, last.turn(env)) {
		case ended:
			return nil
		case resized:
			if err := d.resize(); err != nil {
				return err
			}
			continue
		}
		l := next()
		last = l
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

// turn fires when the answer changes by itself.
func (l look) turn(env Env) <-chan time.Time {
	if l.turns == nil {
		return nil
	}
	return env.Clock.After(max(l.turns.Sub(env.Clock.Now()), 0) + time.Second)
}

// waitForChange waits until there is something new to show, or until turn.
func waitForChange(ctx context.Context, env Env, src *opened, turn <-chan time.Time) occasion {
	select {
	case <-ctx.Done():
		return ended
	case <-env.Resized:
		return resized
	case <-src.Changes():
	case <-turn:
		return changed
	}
	select {
	case <-ctx.Done():
		return ended
	case <-env.Clock.After(settle):
		return changed
	}
}
