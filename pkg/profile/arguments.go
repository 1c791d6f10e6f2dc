package profile

import (
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
)

const (
	featureGates    = "feature-gates"
	emulatedVersion = "emulated-version"
	leaderElect     = "leader-elect"
	// excludePreparingDelete and enableLeaderElection are flags of kruise-manager.
	excludePreparingDelete = "cloneset-scaling-exclude-preparing-delete"
	enableLeaderElection   = "enable-leader-election"
)

// valued are the flags read here that want a value, which may be the next
// argument: --feature-gates X=false.
var valued = []string{featureGates, emulatedVersion}

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
			if !assigned && slices.Contains(valued, name) && i+1 < len(words) {
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

// Reads reports whether a word of a command line is a flag that a Profile or a
// Kruise is read from, and whether its value is the next word.
func Reads(word string) (read, valueNext bool) {
	name, _, assigned, isFlag := flagOf(word)
	wants := slices.Contains(valued, name)
	return isFlag && (wants || slices.Contains(switches, name)), wants && !assigned
}

// Arguments returns those flags that a Profile or a Kruise is read from, as
// --name=value. The other arguments differ from host to host.
func (m Manager) Arguments() []string {
	var out []string
	for name, value := range m.flags() {
		if slices.Contains(valued, name) || name == leaderElect {
			out = append(out, "--"+name+"="+value)
		}
	}
	return out
}

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
		for _, item := range strings.Split(value, ",") {
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
	for _, item := range strings.Split(s, ",") {
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
