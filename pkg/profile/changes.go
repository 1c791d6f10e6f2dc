package profile

import (
	"fmt"
	"maps"
	"slices"
	"sort"
)

// Change is what changed in the modelled controllers with a release of Kubernetes.
type Change struct {
	Since Version
	// What is one line. ReplicaSets stand for ReplicationControllers as well, where
	// these are not named beside.
	What string
	// Place is where it is reported among the changes of its release: lower ones first, and
	// of the same place those of all controllers, then those of each.
	Place int
}

// shared are the changes of several controllers, and of what they are modelled in, that
// no feature gate switches. A test holds them to the versions that code asks for.
var shared = []Change{
	{Since: V1(24, 0), What: "a sibling with an invalid selector is skipped; before, it hid all siblings of a Pod"},
	{Since: V1(33, 0), What: "status.terminatingReplicas of ReplicaSets and Deployments exists"},
	{Since: V1(34, 0), What: "a Pod is available exactly minReadySeconds after it is ready; before, up to 1s later"},
	{Since: V1(34, 0), What: "quotas count spec.resources of Pods", Place: 2},
	{Since: V1(35, 0), What: "quotas count resources that a DeviceClass stands for"},
	{Since: V1(37, 0), What: "defaults of spec.resources of Pods are set after admission has changed the Pod", Place: 1},
}

// ChangesSince returns what the releases after from changed, up to Newest, the oldest
// first.
func (r Releases) ChangesSince(from Version) []Change { return r.changesBetween(from, Newest) }

// changesBetween returns what changed after from, up to and with to.
func (r Releases) changesBetween(from, to Version) []Change {
	behaviours := slices.Concat(shared, r.Changes)
	sort.SliceStable(behaviours, func(i, j int) bool { return behaviours[i].Place < behaviours[j].Place })
	var all []Change
	for _, c := range slices.Concat(behaviours, r.gateChanges()) {
		if !from.has(c) && to.has(c) {
			all = append(all, c)
		}
	}
	sort.SliceStable(all, func(i, j int) bool {
		a, b := all[i].Since, all[j].Since
		return a.Minor < b.Minor || a.Minor == b.Minor && a.Patch < b.Patch
	})
	return all
}

func (v Version) has(c Change) bool { return v.AtLeast(c.Since.Minor, c.Since.Patch) }

// gateChanges are the lives of the feature gates, as changes.
func (r Releases) gateChanges() []Change {
	var all []Change
	gates := r.gates()
	for _, name := range slices.Sorted(maps.Keys(gates)) {
		g := gates[name]
		if g.Since < g.On || g.On == 0 {
			all = append(all, gateChange(V1(g.Since, 0), "feature gate %s exists, off by default", name))
		}
		if g.On > 0 {
			all = append(all, gateChange(V1(g.On, 0), "feature gate %s is on by default", name))
		}
		if g.Off.Minor > 0 {
			all = append(all, gateChange(g.Off, "feature gate %s is off by default", name), gateChange(g.Back, "feature gate %s is on by default", name))
		}
		if g.Locked > 0 {
			all = append(all, gateChange(V1(g.Locked, 0), "feature gate %s can't be switched off", name))
		}
	}
	return all
}

//go:noinline // it is called at many places
func gateChange(since Version, format, name string) Change {
	return Change{Since: since, What: fmt.Sprintf(format, name)}
}

// Release is the release in words: without its patch if that is the first.
func (c Change) Release() string {
	if c.Since.Patch == 0 {
		return fmt.Sprintf("%d.%d", c.Since.Major, c.Since.Minor)
	}
	return c.Since.String()
}
