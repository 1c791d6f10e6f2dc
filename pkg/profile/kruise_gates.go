package profile

import (
	"maps"
	"slices"
)

// The feature gates of the kruise-manager that the CloneSet controller consults,
// and of its webhooks those that refuse what it does.
const (
	CloneSetShortHash         = "CloneSetShortHash"
	CloneSetPartitionRollback = "CloneSetPartitionRollback"
	PreparingUpdateAsUpdate   = "PreparingUpdateAsUpdate"
	EnvFromMetadata           = "InPlaceUpdateEnvFromMetadata"
	VerticalScaling           = "InPlaceWorkloadVerticalScaling"
	RecreateOnVCTChange       = "RecreatePodWhenChangeVCTInCloneSetGate"
	ForceDeleteExpectation    = "ForceDeleteTimeoutExpectationGate"
	UnavailableBudgetUpdate   = "PodUnavailableBudgetUpdateGate"
	UnavailableBudgetDelete   = "PodUnavailableBudgetDeleteGate"
	PreDownloadImage          = "PreDownloadImageForInPlaceUpdate"
	KruiseDaemon              = "KruiseDaemon"
	PodWebhook                = "PodWebhook"
	EventHandlerOptimization  = "CloneSetEventHandlerOptimization"
)

// kruiseGate is a gate's first minor, the minor it became beta in (zero for
// never) and its default (pkg/features/kruise_features.go of each release).
type kruiseGate struct {
	since, beta int
	on          bool
}

var kruiseGates = map[string]kruiseGate{
	CloneSetShortHash:         {},
	CloneSetPartitionRollback: {},
	PreparingUpdateAsUpdate:   {},
	EnvFromMetadata:           {on: true, beta: 8},
	VerticalScaling:           {since: 8},
	RecreateOnVCTChange:       {since: 7},
	ForceDeleteExpectation:    {since: 8},
	UnavailableBudgetUpdate:   {},
	UnavailableBudgetDelete:   {on: true, beta: 8},
	PreDownloadImage:          {},
	KruiseDaemon:              {on: true, beta: 1},
	PodWebhook:                {on: true, beta: 1},
	EventHandlerOptimization:  {},
}

// KruiseGateNames lists the known gates of Kruise in alphabetical order.
func KruiseGateNames() []string { return slices.Sorted(maps.Keys(kruiseGates)) }

func defaultKruiseGates(v Version) map[string]bool {
	on := map[string]bool{}
	for name, g := range kruiseGates {
		if v.Minor >= g.since {
			on[name] = g.on
		}
	}
	return on
}

// ParseKruiseGates reads "CloneSetShortHash=true,KruiseDaemon=false". Errors are
// those of ParseGates.
func ParseKruiseGates(s string) (map[string]bool, error) {
	return parseGates(s, "one of Kruise", KruiseGateNames())
}

// readGates reads the manager's own --feature-gates: gates that play no part
// here are left out.
func (k *Kruise) readGates(named map[string]bool) {
	for name, g := range kruiseGates {
		if on, ok := gateAmong(named, name, g.stage(k.Version)); ok {
			k.set(name, on)
		}
	}
}

func (g kruiseGate) stage(v Version) stage {
	if g.beta > 0 && v.Minor >= g.beta {
		return beta
	}
	return alpha
}

// set sets a gate that the modelled version has.
func (k *Kruise) set(name string, on bool) {
	if _, exists := k.Gates[name]; exists {
		k.Gates[name] = on
	}
}

// forced are the gates that the absence of a component switches off
// (pkg/features/kruise_features.go SetDefaultFeatureGates, v1.9.1).
func (k *Kruise) forced() {
	if !k.Gates[KruiseDaemon] {
		k.Gates[EnvFromMetadata], k.Gates[PreDownloadImage] = false, false
	}
	if !k.Gates[PodWebhook] {
		k.Gates[UnavailableBudgetUpdate] = false
		k.Gates[UnavailableBudgetDelete] = false
	}
}
