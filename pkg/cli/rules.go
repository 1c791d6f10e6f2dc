package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/printers"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
)

const rulesExample = `  # All rules, by controller and question.
  %[1]s rules

  # Show one in full, as each controller that has it goes by it.
  %[1]s rules NotReadyFirst

  # Show that of one controller, and list all of a controller.
  %[1]s rules replicaset/NotReadyFirst
  %[1]s rules replicaset

  # Show those that mention a word.
  %[1]s rules --search maxUnavailable

  # As JSON.
  %[1]s rules -o json`

type rulesFlags struct {
	search, format string
	ids            []string
	// inFull: the arguments name rules, and not groups alone.
	inFull bool
}

func newRules(env Env) *cobra.Command {
	f := &rulesFlags{}
	cmd := &cobra.Command{
		Use:     "rules [ID... | GROUP/ID... | GROUP...]",
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
	if f.inFull {
		return render.RulesInFull(out, groups, o)
	}
	return render.Rules(out, groups, o)
}

// groups are those that the flags and arguments pick.
func (f *rulesFlags) groups(controllers controller.Registry) ([]render.RuleGroup, error) {
	switch {
	case len(f.ids) > 0:
		return f.named(controllers)
	case f.search == "":
		return RuleGroups(controllers), nil
	}
	found := picked(RuleGroups(controllers), func(r decision.Rule) bool { return mentions(r, f.search) })
	if len(found) == 0 {
		return nil, fmt.Errorf("no rule has all words of %q; the command rules lists all of them", f.search)
	}
	return found, nil
}

// named are the rules that the arguments name, in their order. Groups alone are listed.
func (f *rulesFlags) named(controllers controller.Registry) ([]render.RuleGroup, error) {
	var all []render.RuleGroup
	var unknown failures
	for _, arg := range f.ids {
		found := findRules(controllers, arg)
		if len(found) == 0 {
			unknown = append(unknown, unknownRule(controllers, arg))
			continue
		}
		f.inFull = f.inFull || !strings.EqualFold(found[0].ID, arg)
		all = append(all, found...)
	}
	return all, unknown.orNil()
}

// mentions reports whether a rule has all words, in whatever case.
func mentions(r decision.Rule, words string) bool {
	text := strings.ToLower(strings.Join([]string{r.ID, r.Title, r.Text, r.Source, r.Versions}, " "))
	for word := range strings.FieldsSeq(strings.ToLower(words)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// unknownRule says more than help could.
func unknownRule(controllers controller.Registry, arg string) error {
	ids, full := ruleNames(RuleGroups(controllers))
	if meant := didYouMean(arg, append(ids, full...)); meant != "" {
		return fmt.Errorf("no rule %q%s", arg, meant)
	}
	return fmt.Errorf("no rule %q; all are listed by the command rules without an argument", arg)
}
