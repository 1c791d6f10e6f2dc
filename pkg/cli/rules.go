package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/printers"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
)

const rulesExample = `  # All rules, by controller and question.
  %[1]s rules

  # Show one in full.
  %[1]s rules NotReadyFirst

  # Show those that mention a word.
  %[1]s rules --search maxUnavailable

  # As JSON.
  %[1]s rules -o json`

type rulesFlags struct {
	search, format string
	ids            []string
}

func newRules(env Env) *cobra.Command {
	f := &rulesFlags{}
	cmd := &cobra.Command{
		Use:     "rules [ID...]",
		Short:   "List the rules that answers refer to, or explain one",
		Example: examples(env, rulesExample),
		RunE: hinting(func(_ *cobra.Command, args []string) error {
			f.ids = args
			return f.run(env)
		}),
		ValidArgsFunction: completeRules(env),
	}
	cmd.Flags().StringVar(&f.search, "search", "", "list the rules of which the ID, the text or the upstream source has all these words")
	cmd.Flags().StringVarP(&f.format, "output", "o", "", "output format: json, yaml, name")
	completeWith(cmd, "search")
	completeWith(cmd, "output", "json", "yaml", "name")
	return cmd
}

func (f *rulesFlags) run(env Env) error {
	if f.search != "" && len(f.ids) > 0 {
		return usageError("--search and IDs are two ways to pick: give one of them")
	}
	groups, err := f.groups(env.Controllers)
	if err != nil {
		return err
	}
	switch f.format {
	case "json":
		return render.HarmlessJSON(&printers.JSONPrinter{}).PrintObj(render.NewRuleList(groups), env.Out)
	case "yaml":
		return render.YAML().PrintObj(render.NewRuleList(groups), env.Out)
	case "name":
		return render.RuleNames(env.Out, groups)
	case "":
	default:
		return usageError("--output %q is no format: want one of json, yaml, name", f.format)
	}
	out, o := env.text(env.Out), render.Options{Width: env.Width()}
	if len(f.ids) > 0 {
		return f.each(out, groups, o)
	}
	return render.Rules(out, groups, o)
}

// groups are those that the flags and arguments pick.
func (f *rulesFlags) groups(controllers controller.Registry) ([]render.RuleGroup, error) {
	all := RuleGroups(controllers)
	switch {
	case len(f.ids) > 0:
		rules, err := findRules(allRules(controllers), f.ids)
		if err != nil {
			return nil, err
		}
		chosen := make([]render.RuleGroup, len(rules)) // in the order of the arguments
		for i, rule := range rules {
			chosen[i] = picked(all, func(r decision.Rule) bool { return r.ID == rule.ID })[0]
		}
		return chosen, nil
	case f.search == "":
		return all, nil
	}
	found := picked(all, func(r decision.Rule) bool { return mentions(r, f.search) })
	if len(found) == 0 {
		return nil, fmt.Errorf("no rule has all words of %q; the command rules lists all of them", f.search)
	}
	return found, nil
}

// mentions reports whether a rule has all words, in whatever case.
func mentions(r decision.Rule, words string) bool {
	text := strings.ToLower(strings.Join([]string{r.ID, r.Title, r.Text, r.Source, r.Versions}, " "))
	for _, word := range strings.Fields(strings.ToLower(words)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// each explains rules one after the other.
func (f *rulesFlags) each(w io.Writer, groups []render.RuleGroup, o render.Options) error {
	for i, g := range groups {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := render.Rule(w, g.Rules[0], o); err != nil {
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
