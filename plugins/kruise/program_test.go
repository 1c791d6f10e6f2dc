package kruise

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/manager"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
)

// TestTable: every modelled minor is there, no controller twice, and each has workers.
func TestTable(t *testing.T) {
	if Program.Oldest() != 5 || Program.Newest() != 9 { // another one needs its behaviour, gates and goldens
		t.Errorf("the table has 1.%d to 1.%d", Program.Oldest(), Program.Newest())
	}
	for minor := Program.Oldest(); minor <= Program.Newest(); minor++ {
		all, names := Program.In(minor), map[string]bool{}
		if len(all) != 21 {
			t.Errorf("1.%d has %d controllers", minor, len(all))
		}
		for _, c := range all {
			if names[c.Name] || c.Workers.Default == 0 || c.Start == "" || c.File == "" {
				t.Errorf("1.%d: %+v", minor, c)
			}
			names[c.Name] = true
			if c.Workers.Flag != "" && !reads(c.Workers.Flag) {
				t.Errorf("--%s is not read", c.Workers.Flag)
			}
		}
	}
}

func reads(flag string) bool {
	_, valued := Program.Reads(flag)
	return valued
}

// TestGates: random gates come to the same here as in the profile that decisions go by.
func TestGates(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	compared := 0
	for range 3000 {
		v := profile.Version{Major: 1, Minor: Program.Oldest() + random.IntN(Program.Newest()-Program.Oldest()+1)}
		given := map[string]bool{}
		for _, name := range Program.GateNames() {
			if random.IntN(4) == 0 {
				given[name] = random.IntN(2) == 0
			}
		}
		o := profile.ProgramOptions{Version: v.String(), Gates: given}
		if Program.Check(o) != nil {
			continue
		}
		k := Program.Installed(o, profile.Manager{})
		for _, s := range Program.Standings(v.Minor, v.Minor, manager.Arguments{Given: given, Gate: func(manager.Gate) (bool, bool) { return false, false }}) {
			for _, g := range slices.Concat(s.Needs, s.NeedsOne) {
				if on, both := k.Gates[g.Name]; both {
					compared++
					if on != g.On {
						t.Fatalf("Kruise %s with %v: %s is %v, the profile says %v", v, given, g.Name, g.On, on)
					}
				}
			}
		}
	}
	if compared < 10000 {
		t.Errorf("%d gates were compared", compared)
	}
}

// TestStandings: what each condition of an Add function comes to.
func TestStandings(t *testing.T) {
	serves := func(kind string) (bool, bool) { return kind != "apps.kruise.io/v1alpha1, Kind=CloneSet", true }
	for _, c := range []struct {
		name    string
		a       manager.Arguments
		enabled bool
		why     string
		source  manager.Source
	}{
		{"cloneset-controller", manager.Arguments{Serves: serves}, false, "the server does not serve apps.kruise.io/v1alpha1, Kind=CloneSet", manager.Server},
		{"cloneset-controller", manager.Arguments{}, true, "needs that the server serves apps.kruise.io/v1alpha1, Kind=CloneSet, which is not visible", manager.NotVisible},
		{"statefulset-controller", manager.Arguments{Serves: serves}, true, "on by default", manager.Default},
		{"pod-readiness-controller", manager.Arguments{}, true, "on by default", manager.Default},
		{"pod-readiness-controller", manager.Arguments{Unread: "forbidden"}, true, "on by default", manager.NotVisible},
		{"sidecarterminator-controller", manager.Arguments{}, false, "feature gate SidecarTerminator is off", manager.Default},
		{"imagepulljob-controller", manager.Arguments{Serves: serves, Given: map[string]bool{"PreDownloadImageForInPlaceUpdate": true}}, true, "on by default", manager.Default},
		{"PodProbeMarker-controller", manager.Arguments{Serves: serves, Given: map[string]bool{"KruiseDaemon": false}}, false, "feature gate PodProbeMarkerGate is off, as KruiseDaemon is off", manager.Given},
		{"podunavailablebudget-controller", manager.Arguments{Serves: serves, Given: map[string]bool{"PodWebhook": false}}, false,
			"none of the feature gates PodUnavailableBudgetDeleteGate and PodUnavailableBudgetUpdateGate is on", manager.Given},
		{"podunavailablebudget-controller", manager.Arguments{Serves: serves, Given: map[string]bool{"PodUnavailableBudgetDeleteGate": false, "PodUnavailableBudgetUpdateGate": true}}, true, "on by default", manager.Default},
	} {
		c.a.Gate = func(manager.Gate) (bool, bool) { return false, false }
		i := slices.IndexFunc(Program.Standings(9, 9, c.a), func(s manager.Standing) bool { return s.Name == c.name })
		s := Program.Standings(9, 9, c.a)[i]
		if s.Enabled != c.enabled || s.Why != c.why || s.Source != c.source {
			t.Errorf("%s with %v: %v, %q, %s", c.name, c.a.Given, s.Enabled, s.Why, s.Source)
		}
	}
}
