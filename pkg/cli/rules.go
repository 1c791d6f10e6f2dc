package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

const rulesExample = `  # All rules.
  %[1]s rules

  # What stands behind one.
  %[1]s rules NotReadyFirst`

func newRules(env Env) *cobra.Command {
	return &cobra.Command{
		Use:     "rules [ID...]",
		Short:   "List the rules that answers refer to, or explain one",
		Example: examples(env, rulesExample),
		RunE: func(_ *cobra.Command, args []string) error {
			return runRules(env.Out, args)
		},
		ValidArgsFunction: completeRules,
	}
}

func runRules(w io.Writer, ids []string) error {
	all := plugins.Rules()
	if len(ids) == 0 {
		return render.Rules(w, all)
	}
	for i, id := range ids {
		rule, ok := findRule(all, id)
		if !ok {
			return unknownRule(all, id)
		}
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := render.Rule(w, rule); err != nil {
			return err
		}
	}
	return nil
}

func findRule(all decision.Catalogue, id string) (decision.Rule, bool) {
	for _, r := range all {
		if strings.EqualFold(r.ID, id) {
			return r, true
		}
	}
	return decision.Rule{}, false
}

func unknownRule(all decision.Catalogue, id string) error {
	if near := nearest(id, all.IDs()); len(near) > 0 {
		return usageError("no rule %q; near names: %s", id, join(near))
	}
	return usageError("no rule %q; rules without an argument lists them", id)
}
