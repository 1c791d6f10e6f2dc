package profile

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/manager"
)

// toy is a program of a product that nobody makes.
var toy = Program{
	Program: manager.Program{
		Name: "toy-manager", Product: "Tin Toys", Rows: []manager.Row{{Since: 5, Until: 7}, {Since: 6, Until: 9}},
		Implied: []manager.Implied{
			{Since: 8, Until: 9, When: []manager.Gate{{Name: "Engine"}}, Then: []string{"Early", "Elsewhere"}},
			{Since: 5, Until: 9, When: []manager.Gate{{Name: "Unread"}}, Then: []string{"Off"}, Set: true},
		},
		Flags:    manager.Flags{Elect: "elect"},
		Defaults: map[string]string{"period": "2s"},
		Switches: []string{"exclude"},
	},
	Project:  "OpenToys",
	Gates:    []Gate{{Name: "Engine", On: 1}, {Name: "Early", On: 1, Beta: 8}, {Name: "Late", Since: 8}, {Name: "Off"}},
	Retagged: map[Version]Version{V1(7, 5): V1(8, 3)},
}

func TestProgram(t *testing.T) {
	read := Manager{Image: "registry.example/toys/toy-manager:v1.7.3@sha256:0123", Args: []string{"--v=5", "--feature-gates", "AllAlpha=true,Early=false,Other=true"}}
	const defaults, arguments = "defaults of this version", "toy-manager arguments, else defaults of this version"
	for _, c := range []struct {
		name    string
		options ProgramOptions
		manager Manager
		// want is the version and its basis, on are the gates that are on, of says how they are known.
		want, on, of string
	}{
		{"nothing known", ProgramOptions{}, Manager{}, "1.9 assumed, its Deployment was not read", "Early Engine", defaults},
		{"image and arguments", ProgramOptions{}, read, "1.7.3 toy-manager image v1.7.3", "Engine Off", arguments},
		{"the user wins", ProgramOptions{Version: "1.8", Gates: map[string]bool{"Early": true}}, read, "1.8 --tin-toys-version", "Early Engine Late Off", "--tin-toys-feature-gates, else " + arguments},
		{"a tag that is none", ProgramOptions{}, Manager{Image: "toys:latest"}, `1.9 assumed, the image tag "latest" of toy-manager names no version`, "Early Engine", arguments},
		{"one gate for another", ProgramOptions{Gates: map[string]bool{"Engine": false, "Early": true}}, Manager{}, "1.9 assumed, its Deployment was not read", "", "--tin-toys-feature-gates, else " + defaults},
		{"not in that release", ProgramOptions{Version: "1.7", Gates: map[string]bool{"Engine": false}}, Manager{}, "1.7 --tin-toys-version", "Early", "--tin-toys-feature-gates, else " + defaults},
		{"no such gate yet", ProgramOptions{Version: "1.7", Gates: map[string]bool{"Late": true}}, Manager{}, "1.7 --tin-toys-version", "Early Engine", "--tin-toys-feature-gates, else " + defaults},
		{"the code of another", ProgramOptions{}, Manager{Image: "toys:v1.7.5"}, "1.8.3 toy-manager image v1.7.5, which is the code of 1.8.3", "Early Engine", arguments},
		{"its gates", ProgramOptions{Version: "1.7.5", Gates: map[string]bool{"Late": true}}, Manager{}, "1.8.3 --tin-toys-version, which is the code of 1.8.3", "Early Engine Late", "--tin-toys-feature-gates, else " + defaults},
		{"alpha", ProgramOptions{}, Manager{Image: "toys:v1.7.1", Args: []string{"--feature-gates=AllBeta=false"}}, "1.7.1 toy-manager image v1.7.1", "Early", arguments},
		{"beta", ProgramOptions{}, Manager{Image: "toys:v1.8.1", Args: []string{"--feature-gates=AllBeta=false,Engine=true"}}, "1.8.1 toy-manager image v1.8.1", "Engine", arguments},
	} {
		t.Run(c.name, func(t *testing.T) {
			i := toy.Installed(c.options, c.manager)
			if got := i.Version.String() + " " + i.Basis; got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			on := slices.Sorted(maps.Keys(i.Gates))
			on = slices.DeleteFunc(on, func(gate string) bool { return !i.On(gate) })
			if got := strings.Join(on, " "); got != c.on || i.GatesBasis != c.of {
				t.Errorf("on are %q (%s), want %q (%s)", got, i.GatesBasis, c.on, c.of)
			}
			if (i.Flags == nil) != (c.manager.Image == "") || i.Unelected || i.Caveat != "" {
				t.Errorf("got %+v", i)
			}
		})
	}
	i := toy.Installed(ProgramOptions{Gates: map[string]bool{"Off": true, "Engine": false}}, Manager{})
	if got, want := toy.Changed(i), []string{"Early=false", "Engine=false", "Off=true"}; !slices.Equal(got, want) {
		t.Errorf("changed are %v, want %v", got, want)
	}
}

// TestProgramFlags: a program's own flags are read, where a value may be the next argument
// and where none is.
func TestProgramFlags(t *testing.T) {
	i := toy.Installed(ProgramOptions{}, Manager{Image: "toys:v1.8.0", Args: []string{"--exclude", "--elect=false", "--period", "5s", "--toy_workers=4", "--idle-workers="}})
	want := map[string]string{"exclude": "true", "elect": "false", "period": "5s", "toy-workers": "4", "idle-workers": ""}
	if !maps.Equal(i.Flags, want) || !i.Unelected {
		t.Errorf("got %v, unelected %v", i.Flags, i.Unelected)
	}
	reads := Reads(manager.Kubernetes, toy.Program)
	for word, want := range map[string][2]bool{
		"--period": {true, true}, "--period=5s": {true, false}, "--exclude": {true, false}, "--elect": {true, false},
		"--controllers": {true, true}, "--leader-elect": {true, false}, "--feature-gates": {true, true}, "--kubeconfig": {false, false}, "period": {false, false},
	} {
		if read, next := reads(word); read != want[0] || next != want[1] {
			t.Errorf("%s: read %v, its value is the next word %v", word, read, next)
		}
	}
}

func TestProgramBounds(t *testing.T) {
	for version, want := range map[string]string{
		"1.3": "1.5: Tin Toys 1.3 is older than this tool knows; 1.5 is modelled",
		"2.0": "1.9: Tin Toys 2.0 is newer than this tool knows; 1.9 is modelled",
	} {
		if i := toy.Installed(ProgramOptions{Version: version}, Manager{}); i.Version.String()+": "+i.Caveat != want {
			t.Errorf("%s: %s: %s", version, i.Version, i.Caveat)
		}
	}
	var all []string
	for _, v := range toy.Versions() {
		all = append(all, v.String())
	}
	if want := []string{"1.5", "1.6", "1.7", "1.8", "1.9"}; !slices.Equal(all, want) {
		t.Errorf("got %v", all)
	}
}

func TestProgramErrors(t *testing.T) {
	for _, c := range []struct {
		options ProgramOptions
		want    string
	}{
		{ProgramOptions{Version: "new"}, `"new" is no Tin Toys version: want major.minor or major.minor.patch, such as 1.9`},
		{ProgramOptions{Version: "1.7.4", Gates: map[string]bool{"Late": true}}, "feature gate Late does not exist in Tin Toys 1.7.4 (it came with 1.8)"},
		{ProgramOptions{Version: "1.7.5", Gates: map[string]bool{"Late": true}}, ""},
		{ProgramOptions{Gates: map[string]bool{"Late": true}}, ""},
	} {
		if err := toy.Check(c.options); (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
			t.Errorf("%v: got %v", c.options, err)
		}
	}
	for _, text := range []string{"Late", "Typo=true"} {
		if _, err := toy.ParseGates(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
	if _, err := toy.ParseGates("PodDeletionCost=true"); err == nil || err.Error() != `feature gate "PodDeletionCost" is not one of Tin Toys that the modelled controllers consult: Early, Engine, Late, Off` {
		t.Errorf("got %v", err)
	}
}
