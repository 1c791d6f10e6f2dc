package statefulset

import (
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/statefulset"
)

// unreachable are rules that no state reaches: no sync reads a Lease, a ResourceQuota or Events, the
// API server validates neither labels nor the volumes of Pods, the revisions are read, Pods
// refer to a set of their own cluster, and no other StatefulSet adopts Pods of its names.
var unreachable = []string{
	statefulset.LabelTooLong, statefulset.VolumesCantChange, statefulset.RevisionsUnread, statefulset.CreateOrdinalIfAdmitted,
	statefulset.FailedCreateEvent, "ForeignReference", ownership.AdoptContested, lease.Expired, lease.Ignored,
}

// since are the releases that brought what a rule says.
var since = map[string][2]int{
	statefulset.DeleteBroken: {37, 0}, statefulset.DeleteForRecreate: {37, 0}, statefulset.StrategyOff: {37, 0},
	statefulset.RevisionSameMeaning: {34, 2}, statefulset.WritesNotRead: {36, 0}, statefulset.ReadsOwnWrites: {36, 0},
}

// beyond are the rules that no state of a version reaches.
func beyond(version string) []string {
	all := unreachable
	v, err := profile.ParseVersion(version)
	if err != nil {
		return all
	}
	for rule, first := range since {
		if !v.AtLeast(first[0], first[1]) {
			all = append(slices.Clip(all), rule)
		}
	}
	return all
}
