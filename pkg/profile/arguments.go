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
// one dash or two, "_" for "-" in names, and the value behind a "=" or in the next argument.
func (m Manager) flags(of manager.Program) iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		words := m.words(of)
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

// words are those of all arguments.
func (m Manager) words(of manager.Program) (words []string) {
	valued := false
	for _, arg := range m.Args {
		words = append(words, manager.Words(arg, valued)...)
		name, _, assigned, isFlag := flagOf(arg)
		_, valued = reads(of, name)
		valued = valued && isFlag && !assigned
	}
	return words
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
		return gates.of(g.Name, stages[g.Stage])
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

// gateFlags are the gates that each --feature-gates names.
type gateFlags []map[string]bool

// featureGates are the flags of this name; what is neither true nor false is left out. The
// kube-controller-manager takes all of them as one since 1.31 (component-base/compatibility/registry.go
// Set, v0.37.1); before, and elsewhere, each is set when it is read.
func (m Manager) featureGates(of manager.Program) (all gateFlags) {
	release, tagged := m.version()
	asOne := of.Name == manager.Kubernetes.Name && (!tagged || release.Minor >= 31)
	for name, value := range m.flags(of) {
		switch {
		case name != featureGates:
		case asOne && len(all) > 0:
			maps.Copy(all[0], namedGates(value))
		default:
			all = append(all, namedGates(value))
		}
	}
	return all
}

// of returns what the flags make of a gate. AllAlpha and AllBeta set those of their stage that
// neither the flag nor an earlier one has set (component-base/featuregate/feature_gate.go
// setUnsetAlphaGates, v0.37.1).
func (all gateFlags) of(gate string, at stage) (on, set bool) {
	for _, m := range all {
		if named, is := m[gate]; is {
			on, set = named, true
		} else if staged, is := m[string(at)]; is && !set {
			on, set = staged, true
		}
	}
	return on, set
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
		if on, err := strconv.ParseBool(strings.TrimSpace(value)); err == nil {
			named[strings.TrimSpace(name)] = on
		}
	}
	return named
}

// stage is the name of the gate that stands for all of a stage of maturity.
type stage string

const (
	alpha  stage = "AllAlpha"
	beta   stage = "AllBeta"
	stable stage = ""
)
