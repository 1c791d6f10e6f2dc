package profile

import (
	"strings"
	"testing"
)

func TestParseVersion(t *testing.T) {
	for in, want := range map[string]string{
		"1.31": "1.31", "v1.36.3": "1.36.3", "v1.30.5-gke.1014001": "1.30.5", "1.29+": "1.29",
		"v1.28.15-eks-7f9249a": "1.28.15", "v1.27.3+k3s1": "1.27.3",
	} {
		v, err := ParseVersion(in)
		if err != nil || v.String() != want {
			t.Errorf("%q: got %v, %v; want %s", in, v, err, want)
		}
	}
	for _, in := range []string{"", "1", "latest", "v1.x", "1.31.2.4"} {
		if v, err := ParseVersion(in); err == nil {
			t.Errorf("%q: got %v, want an error", in, v)
		}
	}
}

func TestAtLeast(t *testing.T) {
	for _, c := range []struct {
		version      string
		minor, patch int
		want         bool
	}{
		{"1.34.1", 34, 2, false},
		{"1.34.2", 34, 2, true},
		{"1.34", 34, 2, true}, // no patch known: the newest
		{"1.33.9", 34, 0, false},
		{"1.35.0", 34, 2, true},
	} {
		v, err := ParseVersion(c.version)
		if err != nil {
			t.Fatal(err)
		}
		if got := v.AtLeast(c.minor, c.patch); got != c.want {
			t.Errorf("%s at least 1.%d.%d: got %v", c.version, c.minor, c.patch, got)
		}
	}
}

func TestGateDefaults(t *testing.T) {
	for version, want := range map[string]string{
		"1.21": "", "1.22": "cost log", "1.30": "cost log", "1.33": "cost log", "1.35": "cost log terminating", "1.37": "cost log terminating",
	} {
		p, err := New(Options{Emulate: version})
		if err != nil {
			t.Fatal(err)
		}
		var on []string
		for gate, name := range map[string]string{PodDeletionCost: "cost", LogarithmicScaleDown: "log", TerminatingReplicas: "terminating"} {
			if p.On(gate) {
				on = append(on, name)
			}
		}
		for name := range strings.FieldsSeq(want) {
			if !strings.Contains(strings.Join(on, " "), name) {
				t.Errorf("%s: %s is off", version, name)
			}
		}
		if len(on) != len(strings.Fields(want)) {
			t.Errorf("%s: got %v, want %s", version, on, want)
		}
	}
}

func TestGatesThatCannotBeSet(t *testing.T) {
	for _, c := range []struct{ version, gates, want string }{
		{"1.31", "LogarithmicScaleDown=false", "can't be switched off since Kubernetes 1.31"},
		{"1.32", "DeploymentReplicaSetTerminatingReplicas=true", "does not exist in Kubernetes 1.32"},
	} {
		set, err := Releases{}.ParseGates(c.gates)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := New(Options{Emulate: c.version, Gates: set}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: got %v, want %q", c.version, c.gates, err, c.want)
		}
	}
	for _, text := range []string{"PodDeletionCost", "PodDeletionCost=maybe", "NoSuchGate=true"} {
		if _, err := (Releases{}).ParseGates(text); err == nil {
			t.Errorf("%q: want an error", text)
		}
	}
}

func TestWhereTheVersionCameFrom(t *testing.T) {
	for _, c := range []struct {
		options               Options
		version, basis, about string
	}{
		{Options{Server: "v1.36.3", ServerBasis: "server"}, "1.36.3", "server v1.36.3", ""},
		{Options{Server: "v1.36.3", ServerBasis: "server", Emulate: "1.31"}, "1.31", "--emulate-version", ""},
		{Options{}, "1.37", "assumed, the input names no version", ""},
		{Options{Kubelets: []string{"?"}}, "1.37", "assumed, the input names no version", ""},
		{Options{Kubelets: []string{"v1.33.4", "v1.33.1"}}, "1.36", "assumed from the Nodes' kubelet v1.33, which allows 1.33 to 1.36", ""},
		{Options{Kubelets: []string{"v1.34.0", "v1.31.9-gke.1", "v1.32.2"}}, "1.34", "assumed from the Nodes' kubelet v1.31 to v1.34, which allows 1.34 to 1.34", ""},
		{Options{Kubelets: []string{"v1.36.0"}}, "1.37", "assumed from the Nodes' kubelet v1.36, which allows 1.36 to 1.39", ""},
		{Options{Kubelets: []string{"v1.24.0"}}, "1.26", "assumed from the Nodes' kubelet v1.24, which allows 1.24 to 1.26", ""},
		{Options{Kubelets: []string{"v1.30.0", "v1.24.17"}}, "1.30", "assumed from the Nodes' kubelet v1.24 to v1.30, which allows 1.30 to 1.30", ""},
		{Options{Kubelets: []string{"v1.40.0"}}, "1.37", "assumed from the Nodes' kubelet v1.40, which allows 1.40 to 1.43", "Kubernetes 1.43 is newer than this tool knows; 1.37 is modelled"},
		{Options{Kubelets: []string{"v1.33.4"}, Server: "v1.34.1", ServerBasis: "server"}, "1.34.1", "server v1.34.1", ""},
		{Options{Emulate: "1.99"}, "1.37", "--emulate-version", "newer than this tool knows"},
		{Options{Server: "v1.18.2", ServerBasis: "server"}, "1.21", "server v1.18.2", "older than this tool knows"},
	} {
		p, err := New(c.options)
		if err != nil {
			t.Fatal(err)
		}
		if p.Kubernetes.String() != c.version || p.Basis != c.basis || !strings.Contains(p.Caveat, c.about) || (c.about == "") != (p.Caveat == "") {
			t.Errorf("%+v: got %s, %s, %q", c.options, p.Kubernetes, p.Basis, p.Caveat)
		}
	}
}
