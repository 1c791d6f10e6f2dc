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
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/manager"
)

// ControllersDocument says which controllers the controller managers have, which of them
// they start, and with which settings.
type ControllersDocument struct {
	metav1.TypeMeta `json:",inline"`
	// Managers are those that are seen, or that were asked for.
	Managers []ManagerItem `json:"managers"`
	// NotSeen are those that are known and not seen.
	NotSeen []UnseenManager `json:"notSeen,omitempty"`
	// Caveats are the limits of the answer.
	Caveats []decision.Caveat `json:"caveats"`

	// Named: controllers were asked for by name.
	Named bool `json:"-"`
}

// UnseenManager is a controller manager that is not seen.
type UnseenManager struct {
	// Manager is the program.
	Manager string `json:"manager"`
	// Reason is why it is not seen.
	Reason string `json:"reason"`
}

// ManagerItem is a controller manager.
type ManagerItem struct {
	// Manager is the program that runs the controllers.
	Manager string `json:"manager"`
	// Product is what Version is a release of.
	Product string `json:"product"`
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

	// Resync is the period in words, Clients what has the limits.
	Resync, Clients string `json:"-"`
	// Roles are the names of the flags.
	Roles manager.Flags `json:"-"`
}

// ManagerArguments says whether a manager's command line could be read.
type ManagerArguments struct {
	// From is the Pod or Deployment that it was read from; absent where none could be.
	From string `json:"from,omitempty"`
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
	// it), NotVisible (the arguments were not read; the value is the default), or Fixed (no
	// flag sets it).
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
	// IfServed is true where it is enabled only if the server serves its kind, and that is not
	// visible.
	IfServed bool `json:"ifServed,omitempty"`
	// Reason is by what it is enabled or not.
	Reason string `json:"reason"`
	// Source is how that is known: Argument, Default, Server (the API server says so) or
	// NotVisible.
	Source string `json:"source"`
	// DisabledByDefault is whether "*" in --controllers leaves it off.
	DisabledByDefault bool `json:"disabledByDefault"`
	// CloudProvider is whether it is a cloud provider's.
	CloudProvider bool `json:"cloudProvider"`
	// FeatureGates are those that it needs, all of them.
	FeatureGates []GateValue `json:"featureGates,omitempty"`
	// OneGateOf are feature gates of which it needs one.
	OneGateOf []GateValue `json:"oneFeatureGateOf,omitempty"`
	// Served is the kind that the server has to serve; absent for none.
	Served string `json:"served,omitempty"`
	// Workers is how many keys it syncs at a time; absent where that is not known.
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
	// Source is how that is known: Argument, Default, Given (by a flag of this tool) or
	// NotVisible.
	Source string `json:"source"`
	// By is the other gate that sets it; absent for none.
	By string `json:"setBy,omitempty"`
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
	for _, m := range d.Managers {
		for _, c := range m.Controllers {
			if _, err := fmt.Fprintln(w, c.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

// Controllers writes the answer for people.
func Controllers(w io.Writer, d *ControllersDocument, o Options) error {
	p := newPage(&decision.Decision{Caveats: d.Caveats}, o)
	for i, m := range d.Managers {
		if i > 0 {
			p.WriteByte('\n')
		}
		if err := p.controllers(m, d.Named); err != nil {
			return err
		}
		p.WriteByte('\n')
		p.manager(m)
	}
	for _, m := range d.NotSeen {
		p.note("NOT SEEN", fmt.Sprintf("%s: %s; --manager %s lists its controllers", m.Manager, m.Reason, m.Manager))
	}
	p.caveats()
	_, err := io.WriteString(w, p.String())
	return err
}

func (p *page) controllers(m ManagerItem, named bool) error {
	of := fmt.Sprintf("%s of %s %s", m.Manager, m.Product, m.Version)
	if named && len(m.Controllers) == 1 {
		p.controller(of, m.Controllers[0])
		return nil
	}
	p.headline(enabledOf(of, m.Controllers, named))
	p.WriteByte('\n')
	g := grid{indent: "  ", header: []string{"CONTROLLER", "STATE", "WORKERS", "REASON"}, name: 0, text: 3}
	if p.Wide {
		g.header = append(g.header, "FLAG", "ALIASES", "STARTED BY", "IN")
	}
	rest := map[bool]int{}
	for _, c := range m.Controllers {
		if c.Modelled || p.Wide || named {
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
func enabledOf(manager string, all []ControllerItem, named bool) string {
	enabled, modelled, upTo := 0, 0, ""
	for _, c := range all {
		if c.IfServed {
			upTo = "up to "
		}
		if c.Enabled {
			enabled++
		}
		if c.Modelled {
			modelled++
		}
	}
	are := "are"
	if modelled == 1 {
		are = "is"
	}
	if named {
		return fmt.Sprintf("%s enables %s%d of these %d controllers; %d %s modelled here.", manager, upTo, enabled, len(all), modelled, are)
	}
	return fmt.Sprintf("%s enables %s%d of its %d controllers; %d %s modelled here.", manager, upTo, enabled, len(all), modelled, are)
}

func (p *page) controllerRow(c ControllerItem) []string {
	row := []string{clean(c.Name), c.state(), workers(c.Workers), reason(c)}
	if p.Wide {
		flag := ""
		if c.Workers != nil && c.Workers.Flag != "" {
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
	p.headline(fmt.Sprintf("%s is %s in %s.", name, c.state(), of))
	p.WriteByte('\n')
	p.note("REASON", reason(c))
	switch w := c.Workers; {
	case w == nil:
		p.note("WORKERS", "no flag sets how many")
	case w.Flag == "":
		p.note("WORKERS", w.Value+", no flag sets how many")
	default:
		p.note("WORKERS", fmt.Sprintf("%s, --%s%s", w.Value, w.Flag, sourced(w.Source)))
	}
	for _, g := range c.FeatureGates {
		p.note("NEEDS", gateText(g))
	}
	for _, g := range c.OneGateOf {
		p.note("NEEDS ONE OF", gateText(g))
	}
	if c.Served != "" {
		p.note("NEEDS", "the server serves "+c.Served)
	}
	p.note("STARTED BY", c.Start)
	if c.Modelled {
		p.note("MODELLED", "yes: explain, plan and trace answer about its objects")
	} else {
		p.note("MODELLED", "no")
	}
}

func gateText(g GateValue) string {
	by := sourced(g.Source)
	if g.By != "" {
		by = " (" + g.By + ")"
	}
	return fmt.Sprintf("feature gate %s, %s: %s%s", g.Name, g.Stage, onOff(g.Enabled), by)
}

// manager writes how all of them run.
func (p *page) manager(m ManagerItem) {
	value := map[string]FlagValue{}
	for _, v := range m.Settings {
		value[v.Flag] = v
	}
	said := func(flag string) string { return value[flag].Value + sourced(value[flag].Source) }
	p.note("LEADER", m.Leader.Message)
	if flag := m.Roles.Controllers; flag != "" {
		p.note("SELECTION", "--"+flag+"="+said(flag))
	}
	p.note("CLIENTS", fmt.Sprintf("%s requests a second%s, bursts of %s%s, %s",
		value[m.Roles.QPS].Value, sourced(value[m.Roles.QPS].Source), value[m.Roles.Burst].Value, sourced(value[m.Roles.Burst].Source), m.Clients))
	p.note("RESYNC", m.Resync+sourced(value[m.Roles.Resync].Source))
	if m.Arguments.NotVisible != "" {
		p.note("ARGUMENTS", "not visible, so defaults are assumed: "+m.Arguments.NotVisible)
	} else {
		p.note("ARGUMENTS", "read from "+m.Arguments.From)
	}
	p.note("VERSION", fmt.Sprintf("%s %s (%s)", m.Product, m.Version, m.VersionBasis))
}

// state says whether it is on.
func (c ControllerItem) state() string {
	if c.IfServed {
		return "on if served"
	}
	return onOff(c.Enabled)
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
	if c.Source == "NotVisible" && !c.IfServed {
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
	case "Given":
		return " (given)"
	case "Fixed":
		return ""
	}
	return " (default)"
}
