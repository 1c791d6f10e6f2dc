package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
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
		RunE: hinting(func(_ *cobra.Command, args []string) error {
			return runRules(env.Controllers, env.text(env.Out), render.Options{Width: env.Width()}, args)
		}),
		ValidArgsFunction: completeRules(env),
	}
}

func runRules(controllers controller.Registry, w io.Writer, o render.Options, ids []string) error {
	if len(ids) == 0 {
		return render.Rules(w, allRules(controllers), o)
	}
	rules, err := findRules(allRules(controllers), ids)
	if err != nil {
		return err
	}
	for i, rule := range rules {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := render.Rule(w, rule, o); err != nil {
			return err
		}
	}
	return nil
}

func findRules(all decision.Catalogue, ids []string) ([]decision.Rule, error) {
	var found []decision.Rule
	var unknown failures
	for _, id := range ids {
		if rule, ok := findRule(all, id); ok {
			found = append(found, rule)
			continue
		}
		unknown = append(unknown, unknownRule(all, id))
	}
	return found, unknown.orNil()
}

func findRule(all decision.Catalogue, id string) (decision.Rule, bool) {
	for _, r := range all {
		if strings.EqualFold(r.ID, id) {
			return r, true
		}
	}
	return decision.Rule{}, false
}

// unknownRule says more than help could.
func unknownRule(all decision.Catalogue, id string) error {
	if meant := didYouMean(id, all.IDs()); meant != "" {
		return fmt.Errorf("no rule %q%s", id, meant)
	}
	return fmt.Errorf("no rule %q; all are listed by the command rules without an argument", id)
}
