package lease

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// The rules of a Lease that nobody holds.
const (
	Expired = "LeaseExpired"
	// Ignored: the program acts all the same.
	Ignored = "LeaseNotUsed"
)

// Rules is the part of every controller's catalogue that this package decides.
var Rules = decision.Catalogue{
	{
		ID: Expired, Title: "The manager's Lease has no active holder", Source: "k8s.io/client-go/tools/leaderelection (v0.37.1)",
		Text: "The leader renews its Lease every two seconds. One that is older than its duration, or that its holder released, means that no manager acts, for this or any other object. A cluster that runs without leader election may have a stale Lease all the time: where the manager did anything after the Lease expired, LeaseNotUsed says so instead.",
		Keys: []decision.Key{keyAge, keyHolder, keySeconds},
		Line: func(fs decision.Facts) string {
			if fs.Str(keyHolder) == "" {
				return fmt.Sprintf("last renewed %s ago, no holder: no active leader", fs.Brief(keyAge))
			}
			return fmt.Sprintf("last renewed %s ago, valid for %ds (holder %s): no active leader", fs.Brief(keyAge), fs.Int(keySeconds), fs.Str(keyHolder))
		},
	},
	{
		ID: Ignored, Title: "The manager acts although its lease expired", Source: "k8s.io/client-go/tools/leaderelection (v0.37.1)",
		Text: "A manager with --leader-elect=false renews no Lease; one of an earlier manager may be left. The manager wrote to this object, created something for it, or sent an event about it after that Lease expired. So a manager acts.",
		Keys: []decision.Key{keyActed, keyAge, keyProcess},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("last renewed %s ago, and not used since: %s, so the %s acts without it", fs.Brief(keyAge), fs.Str(keyActed), fs.Str(keyProcess))
		},
	},
}
