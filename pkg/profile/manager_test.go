package profile

import "testing"

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
