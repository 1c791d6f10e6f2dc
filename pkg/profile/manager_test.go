package profile

import (
	"strings"
	"testing"
)

func TestManagerSpeaksForItself(t *testing.T) {
	for _, c := range []struct{ image, version, basis string }{
		{"registry.k8s.io/kube-controller-manager:v1.35.2", "1.35.2", "kube-controller-manager image v1.35.2"},
		{"rancher/hardened-kubernetes:v1.30.5-rke2r1-build20240912", "1.30.5", "kube-controller-manager image v1.30.5-rke2r1-build20240912"},
		{"example.com:5000/kube-controller-manager", "1.36.3", "server v1.36.3"},
		{"example.com/kube-controller-manager@sha256:0123", "1.36.3", "server v1.36.3"},
		{"", "1.36.3", "server v1.36.3"},
	} {
		p, err := New(Options{Server: "v1.36.3", ServerBasis: "server", Manager: Manager{Image: c.image}})
		if err != nil || p.Kubernetes.String() != c.version || p.Basis != c.basis {
			t.Errorf("%q: got %s (%s), %v; want %s (%s)", c.image, p.Kubernetes, p.Basis, err, c.version, c.basis)
		}
	}
}

func TestManagerGates(t *testing.T) {
	const basis = "kube-controller-manager arguments, else defaults of this version"
	for _, c := range []struct {
		version, arg      string
		cost, log, counts bool
		basis             string
	}{
		{"v1.34.1", "--feature-gates=PodDeletionCost=false", false, true, false, basis},
		{"v1.34.1", `-feature-gates="AllAlpha=true,PodDeletionCost=FALSE"`, false, true, true, basis},
		{"v1.29.0", "--feature-gates=AllBeta=false", false, false, false, basis},
		{"v1.34.1", "--feature-gates=LogarithmicScaleDown=false", true, true, false, "defaults of this version"}, // it would not start
		{"v1.34.1", "--feature-gates=Other=true,broken", true, true, false, "defaults of this version"},
		{"v1.34.1", "--leader-elect=true", true, true, false, "defaults of this version"},
	} {
		p, err := New(Options{Manager: Manager{Image: "kcm:" + c.version, Args: []string{"kube-controller-manager", c.arg}}})
		if err != nil || p.On(PodDeletionCost) != c.cost || p.On(LogarithmicScaleDown) != c.log || p.On(TerminatingReplicas) != c.counts || p.GatesBasis != c.basis {
			t.Errorf("%s %s: got %v (%s), %v", c.version, c.arg, p.Gates, p.GatesBasis, err)
		}
	}
}

// TestArguments: every way to write a flag that component-base takes.
func TestArguments(t *testing.T) {
	const off, on, unset = "off", "on", ""
	for _, c := range []struct {
		args []string
		cost string
	}{
		{[]string{"--feature-gates=PodDeletionCost=false"}, off},
		{[]string{"--feature-gates", "PodDeletionCost=false"}, off},
		{[]string{"--leader-elect", "--feature-gates", "PodDeletionCost=false", "--v=2"}, off},
		{[]string{"--feature_gates=PodDeletionCost=f"}, off},
		{[]string{"--feature-gates=kube:PodDeletionCost=false"}, off},
		{[]string{"--feature-gates=other:PodDeletionCost=false"}, unset},
		{[]string{"--feature-gates=A=true", "--feature-gates=PodDeletionCost=false"}, off},
		{[]string{"--feature-gates=PodDeletionCost=false", "--feature-gates=PodDeletionCost=true"}, on},
		{[]string{"--feature-gates=PodDeletionCost=false,AllBeta=true"}, off},
		{[]string{"--feature-gates=PodDeletionCost=false", "--feature-gates=AllBeta=true"}, off},
		{[]string{"--feature-gates=PodDeletionCost=true", "--feature-gates=AllBeta=false"}, on},
		{[]string{"--feature-gates=AllBeta=false"}, off},
		{[]string{"--feature-gates=AllAlpha=false,PodDeletionCost=true"}, on},
		{[]string{"/bin/sh", "-c", "exec kube-controller-manager --v=2 --feature-gates='PodDeletionCost=false' 2>&1"}, off},
		{[]string{"--feature-gates=A=true, PodDeletionCost = false"}, off},
		{[]string{"--feature-gates", "A=true, PodDeletionCost=false"}, off},
		{[]string{"--leader-elect", "A=true, PodDeletionCost=false"}, unset},
		{[]string{"--feature-gates=AllBeta=false", "--feature-gates=AllBeta=true"}, on},
		{[]string{"--feature-gates"}, unset},
		{[]string{"--feature-gates="}, unset},
		{[]string{"PodDeletionCost=false"}, unset},
	} {
		m := Manager{Image: "kcm:v1.34.1", Args: append([]string{"kube-controller-manager"}, c.args...)}
		for _, m := range []Manager{m, {Image: m.Image, Args: m.Arguments()}} { // what is kept says the same
			p, err := New(Options{Manager: m})
			basis := "kube-controller-manager arguments, else defaults of this version"
			if c.cost == unset {
				basis = "defaults of this version"
			}
			if err != nil || p.On(PodDeletionCost) != (c.cost != off) || p.GatesBasis != basis {
				t.Errorf("%q: got %v (%s), %v", m.Args, p.On(PodDeletionCost), p.GatesBasis, err)
			}
		}
	}
}

// TestStagesInTurn: up to 1.30 the first flag that sets all gates of a stage stays.
func TestStagesInTurn(t *testing.T) {
	m := Manager{Image: "kcm:v1.30.5", Args: []string{"--feature-gates=AllBeta=false", "--feature-gates=AllBeta=true"}}
	p, err := New(Options{Manager: m})
	if err != nil || p.On(PodDeletionCost) {
		t.Errorf("got %v, %v", p.On(PodDeletionCost), err)
	}
	m.Args = append(m.Args, "--feature-gates=PodDeletionCost=true")
	if p, err = New(Options{Manager: m}); err != nil || !p.On(PodDeletionCost) {
		t.Errorf("got %v, %v", p.On(PodDeletionCost), err)
	}
}

// TestEmulation: the code is the image's, the gates are the emulated version's.
func TestEmulation(t *testing.T) {
	const emulating = "defaults of Kubernetes 1.34, which the controller manager emulates"
	for _, c := range []struct {
		args   []string
		counts bool // TerminatingReplicas: alpha in 1.33, beta and on in 1.35
		basis  string
	}{
		{nil, true, "defaults of this version"},
		{[]string{"--emulated-version=1.34"}, false, emulating},
		{[]string{"--emulated-version", "kube=1.34"}, false, emulating},
		{[]string{"--emulated-version=other=1.30,kube=1.34"}, false, emulating},
		{[]string{"--emulated-version=other=1.30"}, true, "defaults of this version"},
		{[]string{"--emulated-version=1.34", "--feature-gates=AllAlpha=true"}, true, "kube-controller-manager arguments, else " + emulating},
		{[]string{"--emulated-version=1.34", "--feature-gates=AllBeta=true"}, false, "kube-controller-manager arguments, else " + emulating},
		{[]string{"--emulated-version=1.36"}, true, "defaults of this version"},
		{[]string{"--emulated-version=broken"}, true, "defaults of this version"},
	} {
		p, err := New(Options{Manager: Manager{Image: "kcm:v1.36.3", Args: c.args}})
		if err != nil || p.Kubernetes.String() != "1.36.3" || p.On(TerminatingReplicas) != c.counts || p.GatesBasis != c.basis {
			t.Errorf("%q: got %s %v (%s), %v", c.args, p.Kubernetes, p.On(TerminatingReplicas), p.GatesBasis, err)
		}
	}
}

// TestServerEmulation: where the manager can't be read, the server's emulation
// gives the gates, not the code, and that is said.
func TestServerEmulation(t *testing.T) {
	const emulating = "defaults of Kubernetes 1.34, which the server emulates"
	for _, c := range []struct {
		emulates string
		manager  Manager
		counts   bool // TerminatingReplicas: beta and on in 1.35
		basis    string
		caveat   string
	}{
		{"", Manager{}, true, "defaults of this version", ""},
		{"v1.34", Manager{}, false, emulating, "the server emulates Kubernetes v1.34; the controller manager is assumed"},
		{"v1.34", Manager{Caveat: "forbidden"}, false, emulating, "forbidden; the server emulates"},
		{"v1.34", Manager{Image: "kcm:v1.36.3"}, true, "defaults of this version", ""},
		{"v1.34", Manager{Image: "kcm:v1.36.3", Args: []string{"--emulated-version=1.35"}}, true, "defaults of Kubernetes 1.35, which the controller manager emulates", ""},
		{"v1.36", Manager{}, true, "defaults of this version", ""},
	} {
		p, err := New(Options{Server: "v1.36.3", ServerBasis: "server", ServerEmulates: c.emulates, Manager: c.manager})
		if err != nil || p.Kubernetes.String() != "1.36.3" || p.On(TerminatingReplicas) != c.counts || p.On(StaleConsistency) != (c.basis == "defaults of this version") ||
			p.GatesBasis != c.basis || !strings.HasPrefix(p.Caveat, c.caveat) || (c.caveat == "") != (p.Caveat == "") {
			t.Errorf("%+v: got %+v, %v", c, p, err)
		}
	}
}

// TestUnelected: without leader election a manager holds no Lease.
func TestUnelected(t *testing.T) {
	for args, want := range map[string]bool{
		"": false, "--leader-elect": false, "--leader-elect=true": false, "--leader-elect=false": true, "-leader_elect=0": true,
		"--leader-elect=maybe": false, "--leader-elect=false --leader-elect=true": false,
	} {
		p, err := New(Options{Server: "v1.34.1", Manager: Manager{Args: Manager{Args: []string{args}}.Arguments()}})
		if err != nil || p.Unelected != want {
			t.Errorf("%s: unelected %v, %v", args, p.Unelected, err)
		}
	}
}
