package manager

import "strings"

// Source is how a value is known.
type Source string

const (
	// Argument: a flag among the manager's arguments sets it.
	Argument Source = "Argument"
	// Default: the arguments were read, and none sets it.
	Default Source = "Default"
	// NotVisible: the arguments were not read; the value is the flag's default.
	NotVisible Source = "NotVisible"
)

// Value is what a flag is set to.
type Value struct {
	// Flag is its name, without dashes; empty where no flag sets the value.
	Flag   string
	Value  string
	Source Source
}

// Arguments are what is known of a manager's command line.
type Arguments struct {
	// Unread says why it could not be read; empty if it was.
	Unread string
	// Flags are those that it sets, by name.
	Flags map[string]string
	// Gate is what it says of a feature gate: on or off, if it sets it.
	Gate func(Gate) (on, set bool)
}

// Of returns what a flag is set to, where it has this default.
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
	if a.Unread != "" {
		return g.On, NotVisible
	}
	if on, set := a.Gate(g); set {
		return on, Argument
	}
	return g.On, Default
}

// The flags of kube-controller-manager that say how all of its controllers run.
const (
	ControllersFlag = "controllers"
	QPS             = "kube-api-qps"
	Burst           = "kube-api-burst"
	Resync          = "min-resync-period"
	Elect           = "leader-elect"
	LeaseDuration   = "leader-elect-lease-duration"
	RenewDeadline   = "leader-elect-renew-deadline"
	RetryPeriod     = "leader-elect-retry-period"
	LeaseName       = "leader-elect-resource-name"
	LeaseNamespace  = "leader-elect-resource-namespace"
	cloudProvider   = "cloud-provider"
)

// Defaults are those of the flags, the same in every release of the table
// (k8s.io/controller-manager/options, k8s.io/component-base/config/v1alpha1/defaults.go,
// pkg/controller/apis/config/v1alpha1/defaults.go).
var Defaults = map[string]string{
	ControllersFlag: "*", QPS: "20", Burst: "30", Resync: "12h0m0s",
	Elect: "true", LeaseDuration: "15s", RenewDeadline: "10s", RetryPeriod: "2s",
	LeaseName: "kube-controller-manager", LeaseNamespace: "kube-system",
}

// Flags are the names of these flags, in the order in which they are told.
var Flags = []string{ControllersFlag, QPS, Burst, Resync, Elect, LeaseDuration, RenewDeadline, RetryPeriod, LeaseName, LeaseNamespace}

// Setting returns what one of these flags is set to.
func (a Arguments) Setting(flag string) Value { return a.Of(flag, Defaults[flag]) }

// Read reports whether a flag is read here.
func Read(flag string) bool {
	_, known := Defaults[flag]
	return known || flag == cloudProvider || strings.HasSuffix(flag, "-syncs") && strings.Contains(flag, "concurrent-")
}
