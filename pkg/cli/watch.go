package cli

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// settle is how long changes are gathered before they are answered.
const settle = 200 * time.Millisecond

func addWatch(cmd *cobra.Command, watch *bool) {
	cmd.Flags().BoolVarP(watch, "watch", "w", false, "after the answer, keep reading and print a new one whenever it changes")
}

// answer prints the answer and, with watch, each one that follows until the
// context ends. Of several targets those that could be decided are printed
// before the error of the others.
func (f *outputFlags) answer(ctx context.Context, env Env, s *session, out printer, watch bool) error {
	ds, _, _, err := s.decide(ctx)
	if ctx.Err() != nil && watch {
		return nil
	}
	if len(ds) > 0 || err == nil {
		if err := s.show(env, out, ds); err != nil {
			return err
		}
	}
	switch {
	case err != nil:
		return err
	case watch:
		return f.follow(ctx, env, s, out, gist(ds))
	}
	return f.result(ds)
}

// follow prints each answer that differs from the one before. What goes wrong
// on the way may pass again: it is said, and watching goes on.
func (f *outputFlags) follow(ctx context.Context, env Env, s *session, out printer, seen string) error {
	for s.waitForChange(ctx, env) {
		ds, _, _, err := s.decide(ctx)
		what := gist(ds)
		if err != nil {
			what += errorText(err)
		}
		if ctx.Err() != nil || what == seen {
			continue
		}
		seen = what
		if err != nil {
			fmt.Fprintln(env.ErrOut, errorText(err))
		}
		if len(ds) == 0 && err != nil {
			continue
		}
		if env.Width() > 0 {
			fmt.Fprintln(env.Out)
		}
		if err := s.show(env, out, ds); err != nil {
			return err
		}
	}
	return nil
}

// show prints one round of answers at once.
func (s *session) show(env Env, out printer, ds []*decision.Decision) error {
	if len(ds) == 0 {
		fmt.Fprintln(env.ErrOut, s.nothing())
	}
	var buf bytes.Buffer
	if err := out(&buf, ds); err != nil {
		return err
	}
	_, err := env.Out.Write(buf.Bytes())
	return err
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
	switch {
	case s.namespace != "" && !s.pick.allNamespaces:
		text += " in namespace " + s.namespace
	case s.files:
		text += " in the input"
	}
	return harmless(text + ".")
}

// waitForChange waits until there is something new to decide on; false means
// that the context has ended.
func (s *session) waitForChange(ctx context.Context, env Env) bool {
	select {
	case <-ctx.Done():
		return false
	case <-s.Changes():
	}
	select {
	case <-ctx.Done():
		return false
	case <-env.Clock.After(settle):
		return true
	}
}
