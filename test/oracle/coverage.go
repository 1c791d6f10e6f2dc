package oracle

import (
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
)

// Coverage counts, for each rule, the states that fired it.
type Coverage map[string]int

// Count adds one state.
func (c Coverage) Count(d *decision.Decision) {
	fired := map[string]bool{}
	d.EachRuling(func(r *decision.Ruling) { fired[r.Rule] = true })
	for rule := range fired {
		c[rule]++
	}
}

// beyond are rules that speak of objects which no oracle looks at.
var beyond = []string{
	replicaset.NamespaceTerminating,
	replicaset.QuotaShortfall, replicaset.QuotaDemandsRequest, replicaset.QuotaNotCounted, replicaset.LimitRangeForbids, replicaset.PodInvalid,
	replicaset.CreateIfAdmitted, replicaset.SiblingUnread, replicaset.SiblingDeletes, replicaset.FailedCreateEvent,
}

// since are rules of some versions only.
var since = map[string]string{
	ownership.ForeignReference:       "1.34.2",
	replicaset.OwnedFirst:            "1.34",
	replicaset.SameFromEveryList:     "1.34",
	replicaset.SidecarRestartedFirst: "1.32",
	replicaset.ReadsOwnWrites:        "1.36",
	replicaset.WritesNotRead:         "1.36",
}

// Missing lists the rules that the states of a version should have fired and
// did not.
func (c Coverage) Missing(version string) []string {
	var missing []string
	for _, rule := range replicaset.Rules.IDs() {
		if c[rule] == 0 && !slices.Contains(beyond, rule) && has(version, rule) {
			missing = append(missing, rule)
		}
	}
	return missing
}
