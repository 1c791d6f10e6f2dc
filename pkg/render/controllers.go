package render

import (
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// ControllersDocument says which controllers a controller manager has, which of them
// it starts, and with which settings.
type ControllersDocument struct {
	metav1.TypeMeta `json:",inline"`
	// Manager is the program that runs the controllers.
	Manager string `json:"manager"`
	// Version is its release.
	Version string `json:"version"`
	// VersionBasis is how the release was learned.
	VersionBasis string `json:"versionBasis"`
	// Arguments says whether its command line could be read.
	Arguments ManagerArguments `json:"arguments"`
	// Leader is the process whose controllers act.
	Leader ManagerLeader `json:"leader"`
	// Settings are the flags that say how all of its controllers run.
	Settings []FlagValue `json:"settings"`
	// Controllers are those that were asked for, by name; all of them without a name.
	Controllers []ControllerItem `json:"controllers"`
	// Caveats are the limits of the answer.
	Caveats []decision.Caveat `json:"caveats"`

	// Resync is the period in words.
	Resync string `json:"-"`
	// Named: controllers were asked for by name.
	Named bool `json:"-"`
}

// ManagerArguments says whether a manager's command line could be read.
type ManagerArguments struct {
	// Pod is the Pod that it was read from; absent where none could be.
	Pod string `json:"pod,omitempty"`
	// NotVisible is why it could not be read; absent where it was.
	NotVisible string `json:"notVisible,omitempty"`
}

// ManagerLeader is the process whose controllers act.
type ManagerLeader struct {
	// Lease is the Lease that the leader renews, as namespace/name.
	Lease string `json:"lease"`
	// State is Active, None, NotElected (a manager without leader election), or NotVisible.
	State string `json:"state"`
	// Holder is the identity of the leader, or of the last one.
	Holder string `json:"holder,omitempty"`
	// Renewed is when the Lease was last renewed.
	Renewed *time.Time `json:"renewed,omitempty"`
	// Message says the same in words.
	Message string `json:"message"`
}

// FlagValue is what a flag is set to.
type FlagValue struct {
	// Flag is its name, without dashes.
	Flag string `json:"flag"`
	// Value is what it is set to.
	Value string `json:"value"`
	// Source is how that is known: Argument, Default (the arguments were read, and none sets
	// it), or NotVisible (the arguments were not read; the value is the default).
	Source string `json:"source"`
}

// ControllerItem is a controller as its manager runs it.
type ControllerItem struct {
	// Name is its name upstream.
	Name string `json:"name"`
	// Aliases are its former names, which --controllers takes as well.
	Aliases []string `json:"aliases,omitempty"`
	// Enabled is whether the manager starts it. It may still end its start, such as one that
	// signs certificates without a key.
	Enabled bool `json:"enabled"`
	// Reason is by what it is enabled or not.
	Reason string `json:"reason"`
	// Source is how that is known: Argument, Default or NotVisible.
	Source string `json:"source"`
	// DisabledByDefault is whether "*" in --controllers leaves it off.
	DisabledByDefault bool `json:"disabledByDefault"`
	// CloudProvider is whether it is a cloud provider's.
	CloudProvider bool `json:"cloudProvider"`
	// FeatureGates are those that it needs, all of them.
	FeatureGates []GateValue `json:"featureGates,omitempty"`
	// Workers is how many keys it syncs at a time; absent where no flag sets it.
	Workers *FlagValue `json:"workers,omitempty"`
	// Modelled is whether this tool predicts it.
	Modelled bool `json:"modelled"`
	// Start is the upstream function that starts it, with its file.
	Start string `json:"start,omitempty"`
}

// GateValue is a feature gate as it is set.
type GateValue struct {
	// Name is the gate's.
	Name string `json:"name"`
	// Stage is how mature it is: Alpha, Beta or GA.
	Stage string `json:"stage"`
	// Enabled is whether it is on.
	Enabled bool `json:"enabled"`
	// Source is how that is known: Argument, Default or NotVisible.
	Source string `json:"source"`
}

// DeepCopyObject makes ControllersDocument a runtime.Object. It is never changed once made.
func (d *ControllersDocument) DeepCopyObject() runtime.Object { c := *d; return &c }

// NewControllersDocument returns d as a document.
func NewControllersDocument(d ControllersDocument) *ControllersDocument {
	d.TypeMeta = typeOf("Controllers")
	d.Caveats = decision.List(d.Caveats)
	return &d
}

// ControllerNames writes the names of the controllers.
func ControllerNames(w io.Writer, d *ControllersDocument) error {
	for _, c := range d.Controllers {
		if _, err := fmt.Fprintln(w, c.Name); err != nil {
			return err
		}
	}
	return nil
}

// Controllers writes the answer for people.
func Controllers(w io.Writer, d *ControllersDocument, o Options) error {
	p := newPage(&decision.Decision{Caveats: d.Caveats}, o)
	if err := p.controllers(d); err != nil {
		return err
	}
	p.WriteByte('\n')
	p.manager(d)
	p.caveats()
	_, err := io.WriteString(w, p.String())
	return err
}

func (p *page) controllers(d *ControllersDocument) error {
	of := fmt.Sprintf("%s of Kubernetes %s", d.Manager, d.Version)
	if d.Named && len(d.Controllers) == 1 {
		p.controller(of, d.Controllers[0])
		return nil
	}
	p.headline(enabledOf(of, d))
	p.WriteByte('\n')
	g := grid{indent: "  ", header: []string{"CONTROLLER", "STATE", "WORKERS", "REASON"}, name: 0, text: 3}
	if p.Wide {
		g.header = append(g.header, "FLAG", "ALIASES", "STARTED BY", "IN")
	}
	rest := map[bool]int{}
	for _, c := range d.Controllers {
		if c.Modelled || p.Wide || d.Named {
			g.rows = append(g.rows, p.controllerRow(c))
		} else {
			rest[c.Enabled]++
		}
	}
	if err := p.grid(g); err != nil {
		return err
	}
	if len(rest) > 0 {
		p.line(fmt.Sprintf("  Not modelled: %d on, %d off; -o wide lists them.", rest[true], rest[false]))
	}
	return nil
}

// enabledOf counts the controllers of the answer.
func enabledOf(manager string, d *ControllersDocument) string {
	enabled, modelled := 0, 0
	for _, c := range d.Controllers {
		if c.Enabled {
			enabled++
		}
		if c.Modelled {
			modelled++
		}
	}
	if d.Named {
		return fmt.Sprintf("%s enables %d of these %d controllers; %d are modelled here.", manager, enabled, len(d.Controllers), modelled)
	}
	return fmt.Sprintf("%s enables %d of its %d controllers; %d are modelled here.", manager, enabled, len(d.Controllers), modelled)
}

func (p *page) controllerRow(c ControllerItem) []string {
	row := []string{clean(c.Name), onOff(c.Enabled), workers(c.Workers), reason(c)}
	if p.Wide {
		flag := ""
		if c.Workers != nil {
			flag = "--" + c.Workers.Flag
		}
		start, file, _ := strings.Cut(c.Start, " in ")
		row = append(row, flag, strings.Join(c.Aliases, ","), start, path.Base(file))
	}
	return row
}

// controller writes one of them in full.
func (p *page) controller(of string, c ControllerItem) {
	name := c.Name
	if len(c.Aliases) > 0 {
		name += " (" + strings.Join(c.Aliases, ", ") + ")"
	}
	p.headline(fmt.Sprintf("%s is %s in %s.", name, onOff(c.Enabled), of))
	p.WriteByte('\n')
	p.note("REASON", reason(c))
	if c.Workers == nil {
		p.note("WORKERS", "no flag sets how many")
	} else {
		p.note("WORKERS", fmt.Sprintf("%s, --%s%s", c.Workers.Value, c.Workers.Flag, sourced(c.Workers.Source)))
	}
	for _, g := range c.FeatureGates {
		p.note("NEEDS", fmt.Sprintf("feature gate %s, %s: %s%s", g.Name, g.Stage, onOff(g.Enabled), sourced(g.Source)))
	}
	p.note("STARTED BY", c.Start)
	if c.Modelled {
		p.note("MODELLED", "yes: explain, plan and trace answer about its objects")
	} else {
		p.note("MODELLED", "no")
	}
}

// manager writes how all of them run.
func (p *page) manager(d *ControllersDocument) {
	value := map[string]FlagValue{}
	for _, v := range d.Settings {
		value[v.Flag] = v
	}
	said := func(flag string) string { return value[flag].Value + sourced(value[flag].Source) }
	p.note("LEADER", d.Leader.Message)
	p.note("SELECTION", "--controllers="+said("controllers"))
	p.note("CLIENTS", fmt.Sprintf("%s requests a second%s, bursts of %s%s, for each client",
		value["kube-api-qps"].Value, sourced(value["kube-api-qps"].Source), value["kube-api-burst"].Value, sourced(value["kube-api-burst"].Source)))
	p.note("RESYNC", d.Resync+sourced(value["min-resync-period"].Source))
	if d.Arguments.NotVisible != "" {
		p.note("ARGUMENTS", "not visible, so defaults are assumed: "+d.Arguments.NotVisible)
	} else {
		p.note("ARGUMENTS", "read from Pod "+d.Arguments.Pod)
	}
	p.note("VERSION", fmt.Sprintf("Kubernetes %s (%s)", d.Version, d.VersionBasis))
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

func workers(v *FlagValue) string {
	if v == nil {
		return "-"
	}
	return v.Value + sourced(v.Source)
}

// reason is by what a controller is enabled or not. An argument names itself.
func reason(c ControllerItem) string {
	if c.Source == "NotVisible" {
		return clean(c.Reason) + sourced(c.Source)
	}
	return clean(c.Reason)
}

// sourced says how a value is known, in brackets.
func sourced(source string) string {
	switch source {
	case "Argument":
		return " (argument)"
	case "NotVisible":
		return " (assumed)"
	}
	return " (default)"
}
