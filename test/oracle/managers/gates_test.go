package managers

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/program"
)

// TestFeatureGates: random command lines leave the same gates on. A manager refuses some of
// them and does not run: those are no cases, but most must be accepted.
func TestFeatureGates(t *testing.T) {
	lines := program.States(t, "", 3000) / 30
	each(t, func(t *testing.T, minor int, binary string) {
		random, accepted, differing := rand.New(rand.NewPCG(2, uint64(minor))), 0, 0
		standard := modelled(t, minor, nil)
		var settable []string
		for _, name := range slices.Sorted(maps.Keys(standard)) {
			if ofManager(t, binary, "--feature-gates="+name+"=false").Error == "" {
				settable = append(settable, name)
			}
		}
		for range lines {
			words := commandLine(random, minor, settable)
			theirs := ofManager(t, binary, words...)
			if theirs.Error != "" {
				continue
			}
			accepted++
			ours := modelled(t, minor, words)
			if !maps.Equal(ours, standard) {
				differing++
			}
			for name, on := range ours {
				if want, known := theirs.On[name]; known && on != want {
					t.Errorf("%q: %s is %v, upstream %v", words, name, on, want)
				}
			}
		}
		t.Logf("%d of %d command lines accepted, %d of them change a gate that is modelled", accepted, lines, differing)
		if accepted < lines/2 || differing < lines/8 {
			t.Error("too few")
		}
	})
}

// gates are what a manager says that a command line leaves on, or why it refuses it.
type gates struct {
	On    map[string]bool
	Error string
}

func ofManager(t *testing.T, binary string, words ...string) (g gates) {
	t.Helper()
	ask(t, &g, binary, append([]string{"gates"}, words...)...)
	return g
}

// modelled are the gates that a manager with a command line is taken to have.
func modelled(t *testing.T, minor int, words []string) map[string]bool {
	t.Helper()
	m := profile.Manager{Image: fmt.Sprintf("registry/kube-controller-manager:v1.%d.0", minor), Args: words}
	p, err := profile.New(profile.Options{Manager: m, Releases: plugins.All().Releases()})
	if err != nil {
		t.Fatalf("%q: %v", words, err)
	}
	return p.Gates
}

// commandLine draws flags that set gates, in each way in which they can be written.
func commandLine(random *rand.Rand, minor int, gates []string) (words []string) {
	one := func(of ...string) string { return of[random.IntN(len(of))] }
	gates = append(slices.Clip(gates), "AllAlpha", "AllBeta", "AllBeta", "AllBeta")
	flag := func(name, value string) {
		if random.IntN(4) == 0 {
			name = strings.ReplaceAll(name, "-", "_")
		}
		if random.IntN(3) == 0 {
			words = append(words, "--"+name, value)
			return
		}
		words = append(words, "--"+name+"="+value)
	}
	prefix := ""
	if minor >= 31 {
		prefix = one("", "", "kube:") // one or the other
	}
	if minor >= 31 && random.IntN(3) == 0 {
		flag("emulated-version", one("", "kube=")+fmt.Sprintf("1.%d", minor-random.IntN(3)))
	}
	for range random.IntN(3) + 1 {
		if random.IntN(4) == 0 {
			words = append(words, one("--leader-elect", "--leader-elect=false", "--v=2", "--concurrent-replicaset-syncs=3"))
		}
		var items []string
		for range random.IntN(4) + 1 {
			item := prefix + one(gates...) + one("=", "=", "=", " = ") + one("true", "false", "false", "True", "0", "t")
			items = append(items, item)
		}
		flag("feature-gates", strings.Join(items, one(",", ",", ",", ", ")))
	}
	return words
}
