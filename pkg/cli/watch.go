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
	if watch && s.Changes() == nil {
		return usageError("--watch needs a cluster: files do not change")
	}
	var seen string
	for first := true; ; first = false {
		ds, _, _, err := s.decide(ctx)
		if ctx.Err() != nil && watch {
			return nil
		}
		if len(ds) > 0 || err == nil {
			if what := gist(ds); first || what != seen {
				if printed := show(env, out, ds, first); printed != nil {
					return printed
				}
				seen = what
			}
		}
		if err != nil && first {
			return err
		}
		if !watch {
			return f.result(ds)
		}
		if !s.waitForChange(ctx, env) {
			return nil
		}
	}
}

func show(env Env, out printer, ds []*decision.Decision, first bool) error {
	var buf bytes.Buffer
	if !first && env.Width() > 0 {
		buf.WriteString("\n")
	}
	if len(ds) == 0 {
		_, err := fmt.Fprintln(env.ErrOut, "nothing found")
		return err
	}
	if err := out(&buf, ds); err != nil {
		return err
	}
	_, err := env.Out.Write(buf.Bytes())
	return err
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

// gist is what makes an answer another one. Ages and clock times are not part
// of it: they change all the time.
func gist(ds []*decision.Decision) string {
	var b bytes.Buffer
	for _, d := range ds {
		b.WriteString(d.Answer)
		for _, a := range d.Actions {
			b.WriteString("|" + string(a.Verb) + a.Object.String() + string(a.Certainty) + a.Rule)
		}
		for _, c := range d.Claims {
			b.WriteString("|" + c.Object.String() + string(c.Hold))
		}
		for _, e := range d.Evidence {
			b.WriteString("|" + e.Source.String() + e.Rule)
		}
		for _, c := range d.Caveats {
			b.WriteString("|" + c.Code)
		}
		b.WriteString(d.Gate.Rule + d.Status.Rule + d.NextSync.Rule)
		for _, f := range d.Status.Fields {
			b.WriteString("|" + f.Stored + f.Next)
		}
	}
	return b.String()
}
