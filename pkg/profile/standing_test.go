package profile_test

import (
	"slices"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// releases are those of the modelled controllers.
var releases = plugins.All().Releases()

func TestStandingOf(t *testing.T) {
	for _, c := range []struct{ release, support, model, oracle string }{
		{"1.36.3", "Compared", "1.36.3", "1.36.3"},
		{"1.36", "Compared", "1.36", "1.36.3"},
		{"1.34.0", "Compared", "1.34.0", "1.34.1"},
		{"1.34.1", "Compared", "1.34.1", "1.34.1"},
		{"1.34.2", "Compared", "1.34.2", "1.34.4"},
		{"1.34", "Compared", "1.34", "1.34.4"},
		{"1.26.15", "Compared", "1.26.15", "1.29.15"}, // nothing changed from 1.25 to 1.30
		{"1.25.0", "Compared", "1.25.0", "1.29.15"},
		{"1.24.0", "Compared", "1.24.0", "1.24.17"},
		{"1.22.9", "Compared", "1.22.9", "1.23.17"},
		{"1.21.3", "Modelled", "1.21.3", ""}, // before two gates were on
		{"1.38.0", "TooNew", "1.37", "1.37.1"},
		{"2.0", "TooNew", "1.37", "1.37.1"},
		{"1.20.4", "TooOld", "1.21", ""},
	} {
		v, err := profile.ParseVersion(c.release)
		if err != nil {
			t.Fatal(err)
		}
		s := releases.StandingOf(v)
		oracle := ""
		if s.Oracle != (profile.Version{}) {
			oracle = s.Oracle.String()
		}
		if string(s.Support) != c.support || s.Model.String() != c.model || oracle != c.oracle {
			t.Errorf("%s: %s, model %s, oracle %q; want %s, %s, %q", c.release, s.Support, s.Model, oracle, c.support, c.model, c.oracle)
		}
	}
}

func TestChangesSince(t *testing.T) {
	if got := releases.ChangesSince(profile.Newest); got != nil {
		t.Errorf("since the newest: %v", got)
	}
	all := releases.ChangesSince(profile.Oldest)
	if !slices.IsSortedFunc(all, func(a, b profile.Change) int {
		return a.Since.Minor*100 + a.Since.Patch - b.Since.Minor*100 - b.Since.Patch
	}) {
		t.Errorf("not in order: %v", all)
	}
	for _, c := range all {
		if n := len([]rune(c.What)); n > 86 {
			t.Errorf("%s: %d characters do not fit into 100 columns: %s", c.Since, n, c.What)
		}
	}
	gate := profile.Change{Since: profile.V1(31, 0), What: "feature gate LogarithmicScaleDown can't be switched off"}
	if !slices.Contains(releases.ChangesSince(profile.V1(30, -1)), gate) || slices.Contains(releases.ChangesSince(gate.Since), gate) {
		t.Errorf("1.31 locks a gate: %v", all)
	}
}
