package profile

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// Change is what changed in the modelled controllers with a release of Kubernetes.
type Change struct {
	Since Version
	// What is one line. ReplicaSets stand for ReplicationControllers as well, where
	// these are not named beside.
	What string
}

// behaviours are the changes that no feature gate switches, by release. A test
// holds them to the versions that plugins and generic code ask for.
var behaviours = []Change{
	{Version{1, 24, 0}, "a sibling with an invalid selector is skipped; before, it hid all siblings of a Pod"},
	{Version{1, 24, 0}, "ReplicationControllers: Pods are not ranked by how many share their node any more"},
	{Version{1, 25, 0}, "ReplicaSets: 7 to 12 Pods that compare in a circle are sorted by another algorithm"},
	{Version{1, 31, 0}, "StatefulSets: spec.ordinals.start is always read"},
	{Version{1, 32, 0}, "ReplicaSets: restarts of sidecar containers break ties of restarts"},
	{Version{1, 32, 0}, "Deployments: sizes in annotations have 32 bits and no sign; before, any integer"},
	{Version{1, 33, 0}, "status.terminatingReplicas of ReplicaSets and Deployments exists"},
	{Version{1, 34, 0}, "a Pod is available exactly minReadySeconds after it is ready; before, up to 1s later"},
	{Version{1, 34, 0}, "ReplicaSets: of Pods that compare equal, owned ones are deleted before adopted ones"},
	{Version{1, 34, 0}, "Deployments: the name of a new ReplicaSet is cut to the length that is accepted"},
	{Version{1, 34, 0}, "ReplicationControllers: terminating Pods lead to no status write in each sync any more"},
	{Version{1, 34, 0}, "quotas count spec.resources of Pods"},
	{Version{1, 34, 0}, "StatefulSets: updates wait for Pods to be available; before, to be ready"},
	{Version{1, 34, 0}, "StatefulSets: revisions hold no unset creationTimestamp, and hash to other names"},
	{Version{1, 34, 2}, "ReplicaSets: Pods are found by kind, name and UID of their owner; before, by UID"},
	{Version{1, 34, 2}, "StatefulSets: the same; a revision that restores the template counts as equal"},
	{Version{1, 35, 0}, "quotas count resources that a DeviceClass stands for"},
	{Version{1, 35, 0}, "StatefulSets: owners of volume claims and the ordinal label need no gate"},
	{Version{1, 35, 1}, "StatefulSets: the next sync is timed by the Pod that is available first"},
	{Version{1, 36, 0}, "Recreate: old Pods are found by kind, name and UID of their owner; before, by UID"},
	{Version{1, 36, 0}, "StatefulSets: a Pod to delete that is not found counts as deleted"},
	{Version{1, 37, 0}, "Recreate: each Pod that ends leads to a sync of the Deployment; before, the last one"},
	{Version{1, 37, 0}, "StatefulSets: strategy Recreate; Parallel replaces broken Pods of old revisions first"},
	{Version{1, 37, 0}, "defaults of spec.resources of Pods are set after admission has changed the Pod"},
}

// ChangesSince returns what the releases after from changed, up to Newest, the oldest
// first.
func ChangesSince(from Version) []Change { return changesBetween(from, Newest) }

// changesBetween returns what changed after from, up to and with to.
func changesBetween(from, to Version) []Change {
	var all []Change
	for _, c := range slices.Concat(behaviours, gateChanges()) {
		if !from.has(c) && to.has(c) {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Since.Minor, b.Since.Minor), cmp.Compare(a.Since.Patch, b.Since.Patch))
	})
	return all
}

func (v Version) has(c Change) bool { return v.AtLeast(c.Since.Minor, c.Since.Patch) }

// gateChanges are the lives of the feature gates, as changes.
func gateChanges() []Change {
	var all []Change
	for _, name := range slices.Sorted(maps.Keys(gates)) {
		g := gates[name]
		if g.since < g.on {
			all = append(all, gateChange(g.since, "feature gate %s exists, off by default", name))
		}
		all = append(all, gateChange(g.on, "feature gate %s is on by default", name))
		if g.off.Minor > 0 {
			all = append(all, Change{g.off, fmt.Sprintf("feature gate %s is off by default", name)}, Change{g.back, fmt.Sprintf("feature gate %s is on by default", name)})
		}
		if g.locked > 0 {
			all = append(all, gateChange(g.locked, "feature gate %s can't be switched off", name))
		}
	}
	return all
}

func gateChange(minor int, format, name string) Change {
	return Change{Version{1, minor, 0}, fmt.Sprintf(format, name)}
}

// Release is the release in words: without its patch if that is the first.
func (c Change) Release() string {
	if c.Since.Patch == 0 {
		return fmt.Sprintf("%d.%d", c.Since.Major, c.Since.Minor)
	}
	return c.Since.String()
}
