package manager

import "testing"

func standing(t *testing.T, minor int, name string, a Arguments) Standing {
	t.Helper()
	if a.Gate == nil {
		a.Gate = func(Gate) (bool, bool) { return false, false }
	}
	for _, s := range Kubernetes.Standings(minor, minor, a) {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("1.%d has no %s", minor, name)
	return Standing{}
}

func TestControllersFlag(t *testing.T) {
	const sets, bootstrap = "replicaset-controller", "bootstrap-signer-controller"
	for _, c := range []struct {
		flag, name string
		enabled    bool
		why        string
	}{
		{"*", sets, true, "on by default"},
		{"*", bootstrap, false, "off by default; --controllers=*,bootstrap-signer-controller enables it"},
		{"*,bootstrapsigner", bootstrap, true, "named by --controllers"},
		{"*,-replicaset", sets, false, "switched off by --controllers"},
		{"*,-replicaset-controller,replicaset", sets, false, "switched off by --controllers"}, // the first one decides
		{"replicaset,-replicaset", sets, true, "named by --controllers"},
		{"deployment", sets, false, "--controllers does not name it"},
		{"-deployment", sets, false, "--controllers does not name it"},
	} {
		s := standing(t, 36, c.name, Arguments{Flags: map[string]string{ControllersFlag: c.flag}})
		if s.Enabled != c.enabled || s.Why != c.why || s.Source != Argument {
			t.Errorf("--controllers=%s: %s: %v, %s, %s", c.flag, c.name, s.Enabled, s.Why, s.Source)
		}
	}
}

func TestGatesDecideAfterTheFlag(t *testing.T) {
	const name = "podgroup-protection-controller"
	on := Arguments{Gate: func(g Gate) (bool, bool) { return true, g.Name == "GenericWorkload" }}
	if s := standing(t, 36, name, on); !s.Enabled || s.Needs[0].Source != Argument || !s.Needs[0].On {
		t.Errorf("with its gate: %+v", s)
	}
	if s := standing(t, 36, name, Arguments{}); s.Enabled || s.Why != "feature gate GenericWorkload is off" || s.Source != Default {
		t.Errorf("by default: %+v", s)
	}
	on.Flags = map[string]string{ControllersFlag: "*,-" + name}
	if s := standing(t, 36, name, on); s.Enabled || s.Why != "switched off by --controllers" {
		t.Errorf("switched off: %+v", s)
	}
}

// TestEmulatedGates: code is the binary's, a gate's default the emulated version's.
func TestEmulatedGates(t *testing.T) {
	for _, s := range Kubernetes.Standings(36, 33, Arguments{Gate: func(Gate) (bool, bool) { return false, false }}) {
		if s.Name == "resourceclaim-controller" && (s.Enabled || s.Why != "feature gate DynamicResourceAllocation is off") {
			t.Errorf("%+v", s)
		}
	}
}

func TestCloudProviders(t *testing.T) {
	for _, c := range []struct {
		minor    int
		provider string
		enabled  bool
	}{{36, "", false}, {36, "gce", false}, {30, "", false}, {30, "external", false}, {30, "gce", true}} {
		s := standing(t, c.minor, "service-lb-controller", Arguments{Flags: map[string]string{cloudProvider: c.provider}})
		if s.Enabled != c.enabled {
			t.Errorf("1.%d --cloud-provider=%s: %v, %s", c.minor, c.provider, s.Enabled, s.Why)
		}
	}
}

func TestSourceOfWorkers(t *testing.T) {
	const flag = "concurrent-replicaset-syncs"
	for _, c := range []struct {
		a    Arguments
		want Value
	}{
		{Arguments{}, Value{flag, "5", Default}},
		{Arguments{Flags: map[string]string{flag: "10"}}, Value{flag, "10", Argument}},
		{Arguments{Unread: "forbidden"}, Value{flag, "5", NotVisible}},
	} {
		if got := standing(t, 37, "replicaset-controller", c.a).Count; got != c.want {
			t.Errorf("got %+v, want %+v", got, c.want)
		}
	}
	if got := standing(t, 37, "ttl-controller", Arguments{}).Count; got != (Value{}) {
		t.Errorf("without a flag: %+v", got)
	}
	if s := standing(t, 37, "podgroup-protection-controller", Arguments{Unread: "forbidden"}); s.Source != NotVisible || s.Needs[0].Source != NotVisible {
		t.Errorf("unread: %+v", s)
	}
}

// TestTable: every minor is there, and no controller twice.
func TestTable(t *testing.T) {
	for minor := Kubernetes.Oldest(); minor <= Kubernetes.Newest(); minor++ {
		all := Kubernetes.In(minor)
		if len(all) < 40 {
			t.Errorf("1.%d has %d controllers", minor, len(all))
		}
		names := map[string]bool{}
		for _, c := range all {
			for _, name := range append([]string{c.Name}, c.Aliases...) {
				if names[name] {
					t.Errorf("1.%d: %s twice", minor, name)
				}
				names[name] = true
			}
		}
	}
	if Kubernetes.In(Kubernetes.Oldest()-1) != nil || Kubernetes.In(Kubernetes.Newest()+1) != nil {
		t.Error("there are controllers outside the table")
	}
}

func TestReads(t *testing.T) {
	switched := Program{Flags: Flags{Elect: "elect"}, Defaults: map[string]string{"elect": "true", "period": "2s"}, Switches: []string{"exclude"}}
	const valued, bare, no = "valued", "bare", "no"
	for _, c := range []struct {
		of         Program
		flag, want string
	}{
		{Kubernetes, "controllers", valued}, {Kubernetes, "cloud-provider", valued},
		{Kubernetes, "concurrent-rc-syncs", valued}, {Kubernetes, "mirroring-concurrent-service-endpoint-syncs", valued},
		{Kubernetes, "leader-elect", bare}, {Kubernetes, "service-account-private-key-file", no}, {Kubernetes, "kubeconfig", no},
		{switched, "some-workers", valued}, {switched, "period", valued}, {switched, "elect", bare}, {switched, "exclude", bare}, {switched, "controllers", no},
	} {
		got := no
		if read, has := c.of.Reads(c.flag); has {
			got = valued
		} else if read {
			got = bare
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.flag, got, c.want)
		}
	}
	for _, r := range rows {
		if _, has := Kubernetes.Reads(r.Workers.Flag); r.Workers.Flag != "" && !has {
			t.Errorf("%s is not read", r.Workers.Flag)
		}
	}
}
