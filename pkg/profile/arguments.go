package profile

import (
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/manager"
)

const (
	featureGates    = "feature-gates"
	emulatedVersion = "emulated-version"
	leaderElect     = "leader-elect"
	// excludePreparingDelete and enableLeaderElection are flags of kruise-manager.
	excludePreparingDelete = "cloneset-scaling-exclude-preparing-delete"
	enableLeaderElection   = "enable-leader-election"
)

// kruiseSettings are flags of kruise-manager that say how all of its controllers run.
var kruiseSettings = []string{
	"rest-config-qps", "rest-config-burst", "sync-period", "leader-election-id", "leader-election-namespace",
	"leader-election-lease-duration", "leader-election-renew-deadline", "leader-election-retry-period",
}

// deciding are the flags with a value that a Profile is read from.
var deciding = []string{featureGates, emulatedVersion}

// switches are those that are true where they stand without a value.
var switches = []string{leaderElect, excludePreparingDelete, enableLeaderElection}

// flags are those of the command line, as component-base reads them: with one
// dash or two, "_" for "-" in names, and the value behind a "=" or a space. A
// shell's whole command line may stand in one argument.
func (m Manager) flags() iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		words := strings.Fields(strings.Join(m.Args, " "))
		for i := 0; i < len(words); i++ {
			name, value, assigned, isFlag := flagOf(words[i])
			if !isFlag {
				continue
			}
			if !assigned && valued(name) && i+1 < len(words) {
				i++
				value = words[i]
			}
			if !yield(name, strings.Trim(value, `"'`)) {
				return
			}
		}
	}
}

// flagOf splits --name=value; name has no dashes before it and no "_" in it.
func flagOf(word string) (name, value string, assigned, isFlag bool) {
	name, value, assigned = strings.Cut(word, "=")
	dashless := strings.TrimLeft(name, "-")
	return strings.ReplaceAll(dashless, "_", "-"), value, assigned, dashless != name
}

// valued reports whether a flag that is read here wants a value, which may be the next
// argument: --feature-gates X=false.
func valued(name string) bool {
	return slices.Contains(deciding, name) || slices.Contains(kruiseSettings, name) || manager.Read(name) && !slices.Contains(switches, name)
}

// Reads reports whether a word of a command line is a flag that is read here, and
// whether its value is the next word.
func Reads(word string) (read, valueNext bool) {
	name, _, assigned, isFlag := flagOf(word)
	wants := valued(name)
	return isFlag && (wants || slices.Contains(switches, name)), wants && !assigned
}

// Arguments returns those flags that are read here, as --name=value. The other
// arguments differ from host to host.
func (m Manager) Arguments() []string {
	return m.picked(func(name string) bool { return valued(name) || name == leaderElect })
}

// Deciding returns those arguments that decisions depend on.
func (m Manager) Deciding() []string {
	return m.picked(func(name string) bool { return slices.Contains(deciding, name) || name == leaderElect })
}

func (m Manager) picked(pick func(name string) bool) []string {
	var out []string
	for name, value := range m.flags() {
		if pick(name) {
			out = append(out, "--"+name+"="+value)
		}
	}
	return out
}

// Settings returns the arguments as package manager asks for them.
func (m Manager) Settings() manager.Arguments {
	gates, set := m.featureGates(), map[string]string{}
	for name, value := range m.flags() {
		switch earlier, again := set[name]; {
		case again && name == manager.ControllersFlag: // as pflag's StringSlice
			set[name] = earlier + "," + value
		case value == "" && slices.Contains(switches, name):
			set[name] = "true"
		default:
			set[name] = value
		}
	}
	return manager.Arguments{Flags: set, Gate: func(g manager.Gate) (on, named bool) {
		return gateAmong(gates, g.Name, stages[g.Stage])
	}}
}

// stages are the gates that stand for all of a stage, by the stage's name upstream.
var stages = map[string]stage{"Alpha": alpha, "Beta": beta}

// unelected reports whether a flag for leader election is false, which is true by default.
func (m Manager) unelected(flag string) (off bool) {
	for name, value := range m.flags() {
		if name == flag {
			on, err := strconv.ParseBool(value)
			off = err == nil && !on
		}
	}
	return off
}

// featureGates are the gates that all flags of this name set together; what is
// neither true nor false is left out.
func (m Manager) featureGates() map[string]bool {
	named := map[string]bool{}
	for name, value := range m.flags() {
		if name == featureGates {
			maps.Copy(named, namedGates(value))
		}
	}
	return named
}

// emulated is the version whose gates apply, if the command line names one: the
// code stays that of the image (component-base/compatibility/registry.go
// AddFlags, 1.31 and later).
func (m Manager) emulated() (v Version, named bool) {
	for name, value := range m.flags() {
		if name != emulatedVersion {
			continue
		}
		for item := range strings.SplitSeq(value, ",") {
			if parsed, err := ParseVersion(ofKube(item, "=")); err == nil {
				v, named = parsed, true
			}
		}
	}
	return v, named
}

// ofKube returns what follows the name of Kubernetes' own component, which may
// be left out; text of other components stays as it is.
func ofKube(text, separator string) string {
	return strings.TrimPrefix(strings.TrimSpace(text), "kube"+separator)
}

// namedGates reads the value of one --feature-gates.
func namedGates(s string) map[string]bool {
	named := map[string]bool{}
	for item := range strings.SplitSeq(s, ",") {
		name, value, _ := strings.Cut(ofKube(item, ":"), "=")
		if on, err := strconv.ParseBool(value); err == nil {
			named[name] = on
		}
	}
	return named
}

// gateAmong returns what a manager's --feature-gates make of a gate. AllAlpha
// and AllBeta set those of their stage that are not named
// (component-base/featuregate/feature_gate.go setUnsetAlphaGates).
func gateAmong(named map[string]bool, gate string, at stage) (on, set bool) {
	if on, set = named[gate]; set {
		return on, true
	}
	on, set = named[string(at)]
	return on, set
}

// stage is the name of the gate that stands for all of a stage of maturity.
type stage string

const (
	alpha  stage = "AllAlpha"
	beta   stage = "AllBeta"
	stable stage = ""
)
