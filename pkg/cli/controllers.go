package cli

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

const controllersExample = `  # Which controllers does this cluster's controller manager run?
  %[1]s controllers -o wide

  # Is one of them on, and with how many workers?
  %[1]s controllers replicaset

  # Those that are off, with the reason.
  %[1]s controllers -o json | jq '.managers[].controllers[] | select(.enabled | not) | {name, reason}'

  # The controllers of OpenKruise's manager, also where it is not installed.
  %[1]s controllers --manager kruise-manager -o wide

  # The names that --controllers takes in another version.
  %[1]s controllers --emulate-version 1.31 -o name`

const controllersLong = `Show the controllers of each controller manager that is seen: which of them it
starts, by which flag, feature gate or kind that the server serves, with how many
workers, and which function upstream starts them; and how all of them run: leader,
client limits and resync period.

What its command line sets is read from its Pod or Deployment, where that may be
read. Each value says whether an argument sets it, whether it is the default, or
whether the arguments are not visible, so that the default is assumed.

A controller that is on may still end its start: one that signs certificates does
without a key, and node-ipam-controller without --allocate-node-cidrs.`

type controllersFlags struct {
	sourceFlags
	outputFlags
	names   []string
	manager string
}

func newControllers(env Env, config *genericclioptions.ConfigFlags) *cobra.Command {
	f := &controllersFlags{sourceFlags: sourceFlags{config: config}, outputFlags: newOutputFlags()}
	cmd := &cobra.Command{
		Use:     "controllers [NAME...]",
		Short:   "Show the controllers of each controller manager and how it runs them",
		Long:    controllersLong,
		Example: examples(env, controllersExample),
		RunE: hinting(func(cmd *cobra.Command, args []string) error {
			f.names = args
			return f.run(cmd.Context(), env)
		}),
		ValidArgsFunction: completeControllers(env),
	}
	f.sourceFlags.add(cmd, env)
	cmd.Flags().StringVar(&f.manager, "manager", "", "only this controller manager, also where it is not seen: "+strings.Join(managerNames(env), ", "))
	completeWith(cmd, "manager", managerNames(env)...)
	hintFilename(cmd, env, savedFiles)
	f.addForm(cmd, formats...)
	return cmd
}

func (f *controllersFlags) run(ctx context.Context, env Env) error {
	if f.manager != "" && !slices.Contains(managerNames(env), f.manager) {
		return usageError("--manager %q: no controller manager of this name is known%s", f.manager, didYouMean(f.manager, managerNames(env)))
	}
	return f.inquire(ctx, env, &f.sourceFlags, false, func(o *opened, v *view.View) (reply, []*view.Reader, error) {
		r := v.Reader()
		d, err := o.managersOf(r, f.manager, f.names)
		return controllersReply{d}, []*view.Reader{r}, err
	})
}

// managersOf is what is known of the cluster's controller managers: of all that are seen, or
// that have controllers of these names.
func (o *opened) managersOf(r *view.Reader, only string, names []string) (*render.ControllersDocument, error) {
	d := render.ControllersDocument{Named: len(names) > 0}
	all, caveats := o.managers(r)
	d.Caveats = caveats
	if only != "" {
		all = slices.DeleteFunc(all, func(m runningManager) bool { return m.Name != only })
	}
	found := map[string]bool{}
	for _, m := range all {
		chosen := m.named(names, found)
		switch {
		case len(names) > 0 && len(chosen) == 0:
		case len(names) == 0 && only == "" && m.unseen != "":
			d.NotSeen = append(d.NotSeen, render.UnseenManager{Manager: m.Name, Reason: m.unseen})
		default:
			d.Managers = append(d.Managers, o.managerItem(r, m, chosen))
		}
	}
	for _, name := range names {
		if !found[name] {
			return nil, usageError("no controller %q%s", name, didYouMean(name, namesOfAll(all)))
		}
	}
	return render.NewControllersDocument(d), nil
}

func namesOfAll(all []runningManager) (names []string) {
	for _, m := range all {
		for _, s := range m.controllers {
			if !slices.Contains(names, s.Name) {
				names = append(names, s.Name)
			}
		}
	}
	return names
}

// controllersReply prints what is known of a manager.
type controllersReply struct{ d *render.ControllersDocument }

func (a controllersReply) human(w io.Writer, o render.Options) error {
	return render.Controllers(w, a.d, o)
}
func (a controllersReply) names(w io.Writer) error  { return render.ControllerNames(w, a.d) }
func (a controllersReply) document() runtime.Object { return a.d }
func (a controllersReply) pending() bool            { return false }

// caveats are about the version alone, which is an assumption and holds nothing back:
// each value says whether it was read.
func (a controllersReply) caveats() []decision.Caveat {
	caveats := slices.Clone(a.d.Caveats)
	for i := range caveats {
		caveats[i].Partial = false
	}
	return caveats
}

func (a controllersReply) gist() string {
	text, _ := json.Marshal(a.d)
	return string(text)
}

func completeControllers(env Env) cobra.CompletionFunc {
	return func(_ *cobra.Command, used []string, _ string) ([]string, cobra.ShellCompDirective) {
		var names []string
		for _, p := range env.Controllers.Managers() {
			for _, c := range p.In(p.Newest()) {
				if !slices.Contains(names, c.Name) {
					names = append(names, c.Name)
				}
			}
		}
		return unused(names, used), cobra.ShellCompDirectiveNoFileComp
	}
}
