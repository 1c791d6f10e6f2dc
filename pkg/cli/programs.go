package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/manager"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

//go:noinline // it is called at many places
func managerNames(env Env) (names []string) {
	for _, p := range env.Controllers.Managers() {
		names = append(names, p.Name)
	}
	return names
}

// runningManager is a controller manager as it is seen.
type runningManager struct {
	manager.Program
	// of is what the modelled controllers call it; nil for Kubernetes' own.
	of             *controller.Program
	version, basis string
	arguments      manager.Arguments
	// from is the object that the arguments are read from; unseen says why there is none.
	from, unseen string
	controllers  []manager.Standing
}

// managers are all that are known, as they are seen.
func (o *opened) managers(r *view.Reader) ([]runningManager, []decision.Caveat) {
	first, caveats := o.kubernetesManager()
	all := []runningManager{first}
	for _, p := range o.controllers.Programs() {
		i := p.Read(r, o.profile)
		m := runningManager{Program: p.Program.Program, of: p, version: i.Version.String(), basis: i.Basis, arguments: i.Arguments, from: i.From}
		if !i.Seen {
			m.unseen = i.Arguments.Unread
		}
		if i.Caveat != "" {
			caveats = append(caveats, decision.Caveat{Code: decision.VersionNotKnown, Message: i.Caveat})
		}
		m.arguments.Serves = o.serves()
		m.controllers = p.Standings(i.Version.Minor, i.Version.Minor, m.arguments)
		all = append(all, m)
	}
	return all, caveats
}

// kubernetesManager is the kube-controller-manager.
func (o *opened) kubernetesManager() (runningManager, []decision.Caveat) {
	a := o.manager.Settings(manager.Kubernetes)
	a.Unread = o.manager.Hidden
	minor, caveats := o.tabled()
	return runningManager{
		Program: manager.Kubernetes, version: o.profile.Release.String(), basis: o.profile.Basis, arguments: a,
		from: "Pod " + o.manager.Pod, controllers: manager.Kubernetes.Standings(minor, o.profile.Emulates.Minor, a),
	}, caveats
}

// tabled is the minor whose controllers are listed for the cluster's release, and why
// it is another one.
func (o *opened) tabled() (int, []decision.Caveat) {
	caveats, minor, oldest := o.versionCaveat(), o.profile.Kubernetes.Minor, manager.Kubernetes.Oldest()
	if minor < oldest {
		caveats = append(caveats, decision.Caveat{Code: decision.VersionNotKnown, Message: fmt.Sprintf(
			"the controllers of Kubernetes %s are not known to this tool; those of 1.%d are listed", o.profile.Kubernetes, oldest)})
	}
	return max(minor, oldest), caveats
}

// serves reports whether the server serves a kind; nil for files. It asks once for each
// group and version, as a manager does when it starts.
func (o *opened) serves() func(kind string) (served, known bool) {
	if o.files {
		return nil
	}
	discovers(o.config)
	client, err := o.config.ToDiscoveryClient()
	if err != nil {
		return nil
	}
	return func(gvk string) (served, known bool) {
		group, kind, _ := strings.Cut(gvk, ", Kind=")
		list, err := client.ServerResourcesForGroupVersion(group)
		switch {
		case apierrors.IsNotFound(err):
			return false, true
		case err != nil:
			return false, false
		}
		return slices.ContainsFunc(list.APIResources, func(r metav1.APIResource) bool { return r.Kind == kind }), true
	}
}

// named are the controllers with these names, aliases, or names without "-controller"; all
// without names. It notes which names were found.
func (m runningManager) named(names []string, found map[string]bool) (chosen []manager.Standing) {
	if len(names) == 0 {
		return m.controllers
	}
	for _, name := range names {
		for _, s := range m.controllers {
			if s.Named(name) {
				chosen, found[name] = append(chosen, s), true
			}
		}
	}
	return chosen
}

func (o *opened) managerItem(r *view.Reader, m runningManager, chosen []manager.Standing) render.ManagerItem {
	a := m.arguments
	item := render.ManagerItem{
		Manager: m.Name, Product: m.Product, Version: m.version, VersionBasis: m.basis, Arguments: render.ManagerArguments{NotVisible: a.Unread},
		Leader: leader(r, m.Program, a), Resync: m.resync(), Clients: m.Clients, Roles: m.Flags,
	}
	if a.Unread == "" {
		item.Arguments.From = m.from
	}
	for _, v := range m.Settings(a) {
		item.Settings = append(item.Settings, flagValue(v))
	}
	for _, s := range chosen {
		item.Controllers = append(item.Controllers, o.controllerItem(m, s))
	}
	return item
}

func (o *opened) controllerItem(m runningManager, s manager.Standing) render.ControllerItem {
	item := render.ControllerItem{
		Name: s.Name, Aliases: s.Aliases, Enabled: s.Enabled, IfServed: s.IfServed, Reason: s.Why, Source: string(s.Source), Served: s.Served,
		DisabledByDefault: s.DisabledByDefault, CloudProvider: s.CloudProvider, Modelled: o.models(m.of, s.Name),
		FeatureGates: setGates(s.Needs), OneGateOf: setGates(s.NeedsOne),
	}
	if s.Count.Value != "" {
		count := flagValue(s.Count)
		item.Workers = &count
	}
	if s.Start != "" {
		item.Start = s.Start + " in " + m.Source + s.File
	}
	return item
}

func setGates(all []manager.SetGate) (values []render.GateValue) {
	for _, g := range all {
		values = append(values, render.GateValue{Name: g.Name, Stage: g.Stage, Enabled: g.On, Source: string(g.Source), By: g.By})
	}
	return values
}

// models reports whether the controller of a name is modelled. Upstream names one after
// its kind (cmd/kube-controller-manager/names/controller_names.go, v1.37.1).
func (o *opened) models(p *controller.Program, name string) bool {
	for _, c := range o.controllers {
		for _, k := range c.Kinds {
			if c.Of(p) && strings.ToLower(k.Kind)+"-controller" == name {
				return true
			}
		}
	}
	return false
}

func flagValue(v manager.Value) render.FlagValue {
	return render.FlagValue{Flag: v.Flag, Value: v.Value, Source: string(v.Source)}
}

// resync is how often informers deliver everything again.
func (m runningManager) resync() string {
	v := m.Setting(m.arguments, m.Flags.Resync)
	period, err := time.ParseDuration(v.Value)
	if err != nil {
		return "--" + v.Flag + "=" + v.Value
	}
	times := func(factor float64) string { return decision.Span(float64(period) * factor).Brief() }
	return fmt.Sprintf("every %s to %s, drawn %s, --%s=%s", times(m.Spread[0]), times(m.Spread[1]), m.Drawn, v.Flag, v.Value)
}
