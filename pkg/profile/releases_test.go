package profile

import (
	"slices"
	"strings"
	"testing"
)

// TestDeclaredGate: what a controller declares counts as what the package knows.
func TestDeclaredGate(t *testing.T) {
	r := Releases{Gates: []Gate{{Name: "NewGate", Since: 33, On: 35, Off: V1(35, 2), Back: V1(36, 0), Locked: 37}}}
	for version, want := range map[string]string{"1.32": "absent", "1.33": "off", "1.35.1": "on", "1.35.2": "off", "1.36": "on"} {
		p, err := New(Options{Emulate: version, Releases: r})
		if err != nil {
			t.Fatal(err)
		}
		got := "absent"
		if on, exists := p.Of(r.Gates)["NewGate"]; exists {
			got = map[bool]string{true: "on", false: "off"}[on]
		}
		if got != want || p.On("NewGate") != (want == "on") {
			t.Errorf("%s: %s, want %s", version, got, want)
		}
	}
	set, err := r.ParseGates("NewGate=false,PodDeletionCost=false")
	if err != nil || len(set) != 2 {
		t.Fatalf("%v, %v", set, err)
	}
	if _, err := New(Options{Emulate: "1.37", Gates: set, Releases: r}); err == nil || !strings.Contains(err.Error(), "can't be switched off since Kubernetes 1.37") {
		t.Errorf("got %v", err)
	}
	p, err := New(Options{Releases: r, Manager: Manager{Image: "kcm:v1.36.1", Args: []string{"--feature-gates=NewGate=false"}}})
	if err != nil || p.On("NewGate") {
		t.Errorf("the manager's arguments are not read: %v, %v", p.Gates, err)
	}
}

// TestBeta: being beta and being on by default are two things, and a gate may be neither in
// any release.
func TestBeta(t *testing.T) {
	r := Releases{Gates: []Gate{{Name: "Never", Since: 33}, {Name: "OnAsAlpha", Since: 33, On: 33, Beta: 35}, {Name: "OffAsBeta", Since: 33, On: 36, Beta: 35}}}
	for _, c := range []struct{ version, args, on string }{
		{"1.34", "", "OnAsAlpha"},
		{"1.34", "AllAlpha=false", ""},
		{"1.34", "AllBeta=false", "OnAsAlpha"},
		{"1.35", "AllAlpha=false", "OnAsAlpha"},
		{"1.35", "AllBeta=false", ""},
		{"1.35", "AllBeta=true", "OffAsBeta OnAsAlpha"},
		{"1.36", "", "OffAsBeta OnAsAlpha"},
		{"1.36", "AllAlpha=true", "Never OffAsBeta OnAsAlpha"},
	} {
		p, err := New(Options{Releases: r, Manager: Manager{Image: "kcm:v" + c.version, Args: []string{"--feature-gates=" + c.args}}})
		if err != nil {
			t.Fatal(err)
		}
		var on []string
		for name, is := range p.Of(r.Gates) {
			if is {
				on = append(on, name)
			}
		}
		slices.Sort(on)
		if got := strings.Join(on, " "); got != c.on {
			t.Errorf("%s with %s: %q are on, want %q", c.version, c.args, got, c.on)
		}
	}
	var changes []string
	for _, c := range r.ChangesSince(V1(32, 0)) {
		if strings.Contains(c.What, "Never") {
			changes = append(changes, c.Release()+" "+c.What)
		}
	}
	if want := []string{"1.33 feature gate Never exists, off by default"}; !slices.Equal(changes, want) {
		t.Errorf("got %q, want %q", changes, want)
	}
}

// TestUndeclaredGate: a gate that a controller reads and does not declare is a programming
// error, and is not off in silence.
func TestUndeclaredGate(t *testing.T) {
	p, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if got := recover(); got != "feature gate NewGate is not declared" {
			t.Errorf("got %v", got)
		}
	}()
	t.Error(p.On("NewGate"))
}

// TestGateOfTwo: two controllers may declare a gate, with the same life.
func TestGateOfTwo(t *testing.T) {
	one, same := Releases{Gates: []Gate{{Name: "NewGate", Since: 33}}}, Releases{Gates: []Gate{{Name: "NewGate", Since: 33}}}
	if _, err := New(Options{Releases: one.And(same)}); err != nil {
		t.Error(err)
	}
	for _, other := range []Gate{{Name: "NewGate", Since: 34}, {Name: PodDeletionCost, Since: 21}} {
		r := one.And(Releases{Gates: []Gate{other}})
		if _, err := New(Options{Releases: r}); err == nil || !strings.Contains(err.Error(), "feature gate "+other.Name+" is declared with two lives") {
			t.Errorf("%v: got %v", other, err)
		}
	}
}

// TestPlaces: changes of a release are reported by place, then by controller, and gates last.
func TestPlaces(t *testing.T) {
	one := Releases{Changes: []Change{{Since: V1(37, 1), What: "c", Place: 2}, {Since: V1(37, 1), What: "a"}, {Since: V1(36, 0), What: "older", Place: 3}}}
	two := Releases{Changes: []Change{{Since: V1(37, 1), What: "b"}}, Gates: []Gate{{Name: "NewGate", Since: 37, On: 38, Off: V1(37, 1), Back: V1(39, 0)}}}
	var got []string
	for _, c := range one.And(two).ChangesSince(V1(37, 0)) {
		got = append(got, c.What)
	}
	if want := []string{"a", "b", "c", "feature gate NewGate is off by default"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
