package lease

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// Expired is the rule of a Lease that nobody holds.
const Expired = "LeaseExpired"

// Rules is the part of every controller's catalogue that this package decides.
var Rules = decision.Catalogue{
	{
		ID: Expired, Title: "Nobody holds the manager's lease", Source: "k8s.io/client-go/tools/leaderelection (v0.37.1)",
		Text: "The leader renews its Lease every two seconds. One that is older than its duration, or that its holder let go of, means that no manager acts, for this or any other object. A cluster that runs without leader election, or whose control plane is managed elsewhere, may have a stale Lease all the time.",
		Line: func(fs decision.Facts) string {
			if fs.Str("holder") == "" {
				return fmt.Sprintf("last renewed %s ago, held by nobody: nobody acts", fs.Brief("age"))
			}
			return fmt.Sprintf("last renewed %s ago, valid for %ds (holder %s): nobody acts", fs.Brief("age"), fs.Int("seconds"), fs.Str("holder"))
		},
	},
}
