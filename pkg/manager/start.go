package manager

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Standing is a controller as a manager runs it.
type Standing struct {
	Controller
	// Enabled reports whether the manager starts it. A controller may still end its
	// start, as one that signs certificates does without a key.
	Enabled bool
	// Why says by what it is enabled or not, Source how that is known.
	Why    string
	Source Source
	// Needs are its feature gates as they are set.
	Needs []SetGate
	// Count is how many workers it has; its Flag is empty where no flag sets it.
	Count Value
}

// SetGate is a feature gate as it is set.
type SetGate struct {
	Gate
	Source Source
}

// Standings are the controllers of kube-controller-manager in a minor of Kubernetes 1,
// as it runs with these arguments and with the gates of emulated, the same minor or an
// older one.
func Standings(minor, emulated int, a Arguments) []Standing {
	all, defaults := Kubernetes(minor), gatesOf(emulated)
	listed := canonical(all, a.Setting(ControllersFlag))
	out := make([]Standing, len(all))
	for i, c := range all {
		s := Standing{Controller: c, Count: a.Of(c.Workers.Flag, strconv.Itoa(c.Workers.Default))}
		if c.Workers.Flag == "" {
			s.Count = Value{}
		}
		for _, g := range c.Gates {
			if older, known := defaults[g.Name]; known {
				g = older
			}
			on, source := a.gate(g)
			g.On = on
			s.Needs = append(s.Needs, SetGate{g, source})
		}
		s.enable(listed)
		s.need()
		s.ask(minor, a)
		out[i] = s
	}
	return out
}

// gatesOf are the feature gates that controllers of a minor need, by name.
func gatesOf(minor int) map[string]Gate {
	gates := map[string]Gate{}
	for _, c := range Kubernetes(minor) {
		for _, g := range c.Gates {
			gates[g.Name] = g
		}
	}
	return gates
}

// selection is the value of --controllers with the names that controllers have today.
type selection struct {
	names  []string
	source Source
}

// canonical replaces aliases (k8s.io/controller-manager/options/generic.go ApplyTo).
func canonical(all []Controller, v Value) selection {
	names := strings.Split(v.Value, ",")
	for i, name := range names {
		bare := strings.TrimPrefix(name, "-")
		for _, c := range all {
			if slices.Contains(c.Aliases, bare) {
				names[i] = strings.TrimSuffix(name, bare) + c.Name
			}
		}
	}
	return selection{names, v.Source}
}

// enable applies --controllers: the first item that names the controller decides, then
// "*" (k8s.io/controller-manager/app/helper.go IsControllerEnabled).
func (s *Standing) enable(listed selection) {
	s.Source = listed.source
	for _, item := range listed.names {
		switch item {
		case s.Name:
			s.Enabled, s.Why = true, "named by --controllers"
			return
		case "-" + s.Name:
			s.Why = "switched off by --controllers"
			return
		}
	}
	switch {
	case !slices.Contains(listed.names, "*"):
		s.Why = "--controllers does not name it"
	case s.DisabledByDefault:
		s.Why = fmt.Sprintf("off by default; --controllers=*,%s enables it", s.Name)
	default:
		s.Enabled, s.Why = true, "on by default"
	}
}

// need applies the feature gates (app/controller_descriptor.go BuildController).
func (s *Standing) need() {
	if !s.Enabled {
		return
	}
	for _, g := range s.Needs {
		if !g.On {
			s.Enabled, s.Why, s.Source = false, fmt.Sprintf("feature gate %s is off", g.Name), g.Source
			return
		}
	}
}

// lastInTree is the last minor that has cloud providers of its own
// (app/controllermanager.go StartController, IncludeCloudLoops).
const lastInTree = 31

// ask applies the kind of cloud provider.
func (s *Standing) ask(minor int, a Arguments) {
	if !s.Enabled || !s.CloudProvider {
		return
	}
	provider := a.Of(cloudProvider, "")
	if in := provider.Value; minor <= lastInTree && in != "" && in != "external" {
		s.Why, s.Source = fmt.Sprintf("--cloud-provider=%s is in-tree", in), provider.Source
		return
	}
	s.Enabled, s.Why = false, "a cloud provider's: the cloud-controller-manager runs it"
	if minor <= lastInTree {
		s.Why, s.Source = "needs an in-tree cloud provider", provider.Source
	}
}
