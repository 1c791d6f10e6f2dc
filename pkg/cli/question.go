package cli

import "context"

// question is what explain and plan have in common: a session, and the form
// of its answer.
type question struct {
	session
	kind  string
	whole wholePrinter
	watch bool
}

// ask checks all flags before anything is read, and answers.
func (q *question) ask(ctx context.Context, env Env, source *sourceFlags, output *outputFlags) error {
	if err := q.pick.check(q.subjects); err != nil {
		return err
	}
	o, err := output.options(env)
	if err != nil {
		return err
	}
	out, err := output.toPrinter(q.kind, q.whole, o, &q.session)
	if err != nil {
		return err
	}
	if q.watch && len(source.from) > 0 {
		return usageError("--watch needs a cluster: files do not change")
	}
	if q.opened, err = source.open(ctx, env); err != nil {
		return err
	}
	defer q.Close()
	return output.answer(ctx, env, &q.session, out, q.watch)
}
