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
)

// deciding are the flags with a value that a Profile is read from.
var deciding = []string{featureGates, emulatedVersion}

// flags are those of the program's command line, as component-base reads them: with
// one dash or two, "_" for "-" in names, and the value behind a "=" or a space. A
// shell's whole command line may stand in one argument.
func (m Manager) flags(of manager.Program) iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		words := strings.Fields(strings.Join(m.Args, " "))
		for i := 0; i < len(words); i++ {
			name, value, assigned, isFlag := flagOf(words[i])
			if !isFlag {
				continue
			}
			if _, valued := reads(of, name); !assigned && valued && i+1 < len(words) {
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

// reads reports whether a flag of a program is read here, and whether it wants a value,
// which may be the next argument: --feature-gates X=false.
func reads(of manager.Program, name string) (read, valued bool) {
	if slices.Contains(deciding, name) {
		return true, true
	}
	return of.Reads(name)
}

// Reads returns what reports whether a word of a command line is a flag of one of some
// programs that is read here, and whether its value is the next word.
func Reads(programs ...manager.Program) func(word string) (read, valueNext bool) {
	return func(word string) (read, valueNext bool) {
		name, _, assigned, isFlag := flagOf(word)
		for _, of := range programs {
			if is, valued := reads(of, name); is && isFlag {
				read, valueNext = true, valueNext || valued && !assigned
			}
		}
		return read, valueNext
	}
}

// Arguments returns those flags of the kube-controller-manager that are read here, as
// --name=value. The other arguments differ from host to host.
func (m Manager) Arguments() []string {
	return m.picked(func(name string) bool { read, _ := reads(manager.Kubernetes, name); return read })
}

// Deciding returns those of these arguments that decisions depend on.
func (m Manager) Deciding() []string {
	return m.picked(func(name string) bool {
		return slices.Contains(deciding, name) || name == manager.Kubernetes.Flags.Elect
	})
}

func (m Manager) picked(pick func(name string) bool) []string {
	var out []string
	for name, value := range m.flags(manager.Kubernetes) {
		if pick(name) {
			out = append(out, "--"+name+"="+value)
		}
	}
	return out
}

// Settings returns the program's arguments as package manager asks for them.
func (m Manager) Settings(of manager.Program) manager.Arguments {
	gates := m.featureGates(of)
	return manager.Arguments{Flags: m.set(of), Gate: func(g manager.Gate) (on, named bool) {
		return gateAmong(gates, g.Name, stages[g.Stage])
	}}
}

// set are the flags of the program's command line, the last of a name.
func (m Manager) set(of manager.Program) map[string]string {
	set := map[string]string{}
	for name, value := range m.flags(of) {
		read, valued := reads(of, name)
		switch earlier, again := set[name]; {
		case again && name == manager.ControllersFlag: // as pflag's StringSlice
			set[name] = earlier + "," + value
		case value == "" && read && !valued:
			set[name] = "true"
		default:
			set[name] = value
		}
	}
	return set
}

// stages are the gates that stand for all of a stage, by the stage's name upstream.
var stages = map[string]stage{"Alpha": alpha, "Beta": beta}

// unelected reports whether the program's flag for leader election is false, which is true
// by default.
func (m Manager) unelected(of manager.Program) bool {
	on, err := strconv.ParseBool(m.set(of)[of.Flags.Elect])
	return err == nil && !on
}

// featureGates are the gates that all flags of this name set together; what is
// neither true nor false is left out.
func (m Manager) featureGates(of manager.Program) map[string]bool {
	named := map[string]bool{}
	for name, value := range m.flags(of) {
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
	for name, value := range m.flags(manager.Kubernetes) {
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
// (component-base/featuregate/feature_gate.go setUnsetAlphaGates, v0.37.1).
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
