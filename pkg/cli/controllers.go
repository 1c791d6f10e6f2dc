package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/manager"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

const controllersExample = `  # Which controllers does this cluster's controller manager run?
  %[1]s controllers -o wide

  # Is one of them on, and with how many workers?
  %[1]s controllers replicaset

  # Those that are off, with the reason.
  %[1]s controllers -o json | jq '.controllers[] | select(.enabled | not) | {name, reason}'

  # The names that --controllers takes in another version.
  %[1]s controllers --emulate-version 1.31 -o name`

const controllersLong = `Show the controllers of the kube-controller-manager: which of them it starts, by
which flag or feature gate, with how many workers, and which function upstream
starts them; and how all of them run: leader, client limits and resync period.

What its command line sets is read from its Pod, where that may be read. Each value
says whether an argument sets it, whether it is the default, or whether the
arguments are not visible, so that the default is assumed.

A controller that is on may still end its start: one that signs certificates does
without a key, and node-ipam-controller without --allocate-node-cidrs.`

type controllersFlags struct {
	sourceFlags
	outputFlags
	names []string
}

func newControllers(env Env, config *genericclioptions.ConfigFlags) *cobra.Command {
	f := &controllersFlags{sourceFlags: sourceFlags{config: config}, outputFlags: newOutputFlags()}
	cmd := &cobra.Command{
		Use:     "controllers [NAME...]",
		Short:   "Show the controllers of the controller manager and how it runs them",
		Long:    controllersLong,
		Example: examples(env, controllersExample),
		RunE: hinting(func(cmd *cobra.Command, args []string) error {
			f.names = args
			return f.run(cmd.Context(), env)
		}),
		ValidArgsFunction: completeControllers,
	}
	f.sourceFlags.add(cmd)
	hintFilename(cmd, env, savedFiles)
	f.addForm(cmd, formats...)
	return cmd
}

func (f *controllersFlags) run(ctx context.Context, env Env) error {
	return f.inquire(ctx, env, &f.sourceFlags, false, func(o *opened, v *view.View) (reply, []*view.Reader, error) {
		r := v.Reader()
		d, err := o.controllersOf(r, f.names)
		return controllersReply{d}, []*view.Reader{r}, err
	})
}

// controllersOf is what is known of the cluster's kube-controller-manager.
func (o *opened) controllersOf(r *view.Reader, names []string) (*render.ControllersDocument, error) {
	a := o.manager.Settings()
	a.Unread = o.manager.Hidden
	minor, caveats := o.tabled()
	d := render.ControllersDocument{
		Manager: controllerManager, Version: o.profile.Release.String(), VersionBasis: o.profile.Basis, Caveats: caveats,
		Arguments: render.ManagerArguments{NotVisible: a.Unread}, Leader: leader(r, a), Resync: resync(a.Setting(manager.Resync)), Named: len(names) > 0,
	}
	if a.Unread == "" {
		d.Arguments.Pod = o.manager.Pod
	}
	for _, flag := range manager.Flags {
		d.Settings = append(d.Settings, flagValue(a.Setting(flag)))
	}
	all := manager.Standings(minor, o.profile.Emulates.Minor, a)
	chosen, err := controllersNamed(all, names)
	if err != nil {
		return nil, err
	}
	for _, s := range chosen {
		d.Controllers = append(d.Controllers, o.controllerItem(s))
	}
	return render.NewControllersDocument(d), nil
}

// tabled is the minor whose controllers are listed for the cluster's release, and why
// it is another one.
func (o *opened) tabled() (int, []decision.Caveat) {
	caveats, minor := o.versionCaveat(), o.profile.Kubernetes.Minor
	if minor < manager.Oldest() {
		caveats = append(caveats, decision.Caveat{Code: decision.VersionNotKnown, Message: fmt.Sprintf(
			"the controllers of Kubernetes %s are not known to this tool; those of 1.%d are listed", o.profile.Kubernetes, manager.Oldest())})
	}
	return max(minor, manager.Oldest()), caveats
}

// controllersNamed are those with these names, aliases, or names without "-controller";
// all without names.
func controllersNamed(all []manager.Standing, names []string) (chosen []manager.Standing, err error) {
	if len(names) == 0 {
		return all, nil
	}
	var known []string
	for _, s := range all {
		known = append(known, s.Name)
	}
	for _, name := range names {
		found := false
		for _, s := range all {
			if s.Named(name) || s.Named(name+"-controller") {
				chosen, found = append(chosen, s), true
			}
		}
		if !found {
			return nil, usageError("no controller %q%s", name, didYouMean(name, known))
		}
	}
	return chosen, nil
}

func (o *opened) controllerItem(s manager.Standing) render.ControllerItem {
	item := render.ControllerItem{
		Name: s.Name, Aliases: s.Aliases, Enabled: s.Enabled, Reason: s.Why, Source: string(s.Source),
		DisabledByDefault: s.DisabledByDefault, CloudProvider: s.CloudProvider, Modelled: o.models(s.Name),
	}
	for _, g := range s.Needs {
		item.FeatureGates = append(item.FeatureGates, render.GateValue{Name: g.Name, Stage: g.Stage, Enabled: g.On, Source: string(g.Source)})
	}
	if s.Count.Flag != "" {
		count := flagValue(s.Count)
		item.Workers = &count
	}
	if s.Start != "" {
		item.Start = s.Start + " in cmd/kube-controller-manager/app/" + s.File
	}
	return item
}

// models reports whether the controller of a name is modelled. Upstream names one after
// its kind (cmd/kube-controller-manager/names/controller_names.go).
func (o *opened) models(controller string) bool {
	for _, k := range o.controllers.Kinds() {
		if strings.ToLower(k.Kind)+"-controller" == controller {
			return true
		}
	}
	return false
}

func flagValue(v manager.Value) render.FlagValue {
	return render.FlagValue{Flag: v.Flag, Value: v.Value, Source: string(v.Source)}
}

// resync is how often informers deliver everything again: a factor between one and two
// is drawn when the manager starts (app/controllermanager.go ResyncPeriod).
func resync(v manager.Value) string {
	least, err := time.ParseDuration(v.Value)
	if err != nil {
		return "--" + v.Flag + "=" + v.Value
	}
	return fmt.Sprintf("every %s to %s, drawn at the start of the manager, --%s=%s", decision.Span(least).Brief(), decision.Span(2*least).Brief(), v.Flag, v.Value)
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

func completeControllers(_ *cobra.Command, used []string, _ string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, c := range manager.Kubernetes(manager.Newest()) {
		names = append(names, c.Name)
	}
	return unused(names, used), cobra.ShellCompDirectiveNoFileComp
}
