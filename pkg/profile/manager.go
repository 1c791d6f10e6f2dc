package profile

import (
	"iter"
	"regexp"
	"strconv"
	"strings"
)

// Manager is the container that a controller manager runs in. The zero Manager
// is one that could not be read.
type Manager struct {
	Image string
	// Args are its command and arguments.
	Args []string
	// Caveat is set when it may not be read, or may be another one that leads.
	Caveat string
}

var tagged = regexp.MustCompile(`:([\w.-]+)(@sha256:.*)?$`)

func (m Manager) tag() string {
	if t := tagged.FindStringSubmatch(m.Image); t != nil {
		return t[1]
	}
	return ""
}

func (m Manager) version() (Version, bool) {
	v, err := ParseVersion(m.tag())
	return v, err == nil
}

// flags are those of the command line that have their value behind a "=".
func (m Manager) flags() iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		for _, arg := range m.Args {
			name, value, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
			if !yield(name, value) {
				return
			}
		}
	}
}

// namedGates reads a manager's own --feature-gates: what is neither true nor
// false is left out.
func namedGates(s string) map[string]bool {
	named := map[string]bool{}
	for _, item := range strings.Split(strings.Trim(s, `"'`), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(item), "=")
		if on, err := strconv.ParseBool(value); err == nil {
			named[name] = on
		}
	}
	return named
}

// gateAmong tells what a manager's --feature-gates make of a gate: AllAlpha and
// AllBeta set those that are not named.
func gateAmong(named map[string]bool, gate string, beta bool) (on, set bool) {
	if on, set = named[gate]; set {
		return on, true
	}
	stage := "AllAlpha"
	if beta {
		stage = "AllBeta"
	}
	on, set = named[stage]
	return on, set
}
