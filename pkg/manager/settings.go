package manager

// Source is how a value is known.
type Source string

const (
	// Argument is for what a flag among the manager's arguments sets.
	Argument Source = "Argument"
	// Default is for what none of the arguments sets, which were read.
	Default Source = "Default"
	// NotVisible is for the flag's default where the arguments were not read.
	NotVisible Source = "NotVisible"
	// Server is for what the API server says.
	Server Source = "Server"
	// Given is for what a flag of this tool says.
	Given Source = "Given"
	// Fixed is for what nothing sets: it is part of the program.
	Fixed Source = "Fixed"
)

// Value is what a flag is set to.
type Value struct {
	// Flag is its name, without dashes; empty where no flag sets the value.
	Flag   string
	Value  string
	Source Source
}

// Arguments are what is known of a manager's command line, and of its server.
type Arguments struct {
	// Unread says why it could not be read; empty if it was.
	Unread string
	// Flags are those that it sets, by name.
	Flags map[string]string
	// Gate is what it says of a feature gate: on or off, if it sets it.
	Gate func(Gate) (on, set bool)
	// Given are feature gates that the user says.
	Given map[string]bool
	// Serves reports whether the server serves a kind, as in Controller.Served, where that
	// is known; nil where it is not visible.
	Serves func(kind string) (served, known bool)
}

// Of returns what a flag is set to, where it has this default.
//
//go:noinline // it is called at many places
func (a Arguments) Of(flag, byDefault string) Value {
	switch value, set := a.Flags[flag]; {
	case a.Unread != "":
		return Value{flag, byDefault, NotVisible}
	case set:
		return Value{flag, value, Argument}
	}
	return Value{flag, byDefault, Default}
}

// gate returns whether a gate is on, and how that is known.
func (a Arguments) gate(g Gate) (on bool, s Source) {
	if on, given := a.Given[g.Name]; given {
		return on, Given
	}
	if a.Unread != "" {
		return g.On, NotVisible
	}
	if on, set := a.Gate(g); set {
		return on, Argument
	}
	return g.On, Default
}

// ControllersFlag selects the controllers of kube-controller-manager.
const ControllersFlag = "controllers"

const cloudProvider = "cloud-provider"

// Kubernetes is the kube-controller-manager. The defaults of its flags are the same in
// every release of the table (k8s.io/controller-manager/options,
// k8s.io/component-base/config/v1alpha1/defaults.go,
// pkg/controller/apis/config/v1alpha1/defaults.go, v1.37.1); ResyncPeriod of
// app/controllermanager.go draws the factor.
var Kubernetes = Program{
	Name: "kube-controller-manager", Product: "Kubernetes", Source: "cmd/kube-controller-manager/app/", Rows: rows,
	Flags: Flags{
		Controllers: ControllersFlag, QPS: "kube-api-qps", Burst: "kube-api-burst", Resync: "min-resync-period",
		Elect: "leader-elect", LeaseDuration: "leader-elect-lease-duration", RenewDeadline: "leader-elect-renew-deadline",
		RetryPeriod: "leader-elect-retry-period", LeaseName: "leader-elect-resource-name", LeaseNamespace: "leader-elect-resource-namespace",
	},
	Defaults: map[string]string{
		ControllersFlag: "*", "kube-api-qps": "20", "kube-api-burst": "30", "min-resync-period": "12h0m0s",
		"leader-elect": "true", "leader-elect-lease-duration": "15s", "leader-elect-renew-deadline": "10s", "leader-elect-retry-period": "2s",
		"leader-elect-resource-name": "kube-controller-manager", "leader-elect-resource-namespace": "kube-system",
		cloudProvider: "",
	},
	Spread: [2]float64{1, 2}, Drawn: "at the start of the manager", Clients: "for each client",
	Metrics: Metrics{Scheme: "https", Host: "bind-address", Port: "secure-port", DefaultPort: "10257"},
}
