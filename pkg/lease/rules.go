package lease

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// Expired is the rule of a Lease that is overdue.
const Expired = "LeaseExpired"

// Rules is the part of every built-in controller's catalogue that this package
// decides.
var Rules = decision.Catalogue{
	{
		ID: Expired, Title: "The controller manager's lease has expired", Source: "k8s.io/client-go/tools/leaderelection (v0.37.1)",
		Text: "The leader renews its Lease every two seconds. One that is older than its duration means that no controller manager acts, for this or any other object. A cluster that runs without leader election, or whose control plane is managed elsewhere, may have a stale Lease all the time.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("last renewed %s ago, valid for %ds (holder %s): nobody acts", fs.Brief("age"), fs.Int("seconds"), fs.Str("holder"))
		},
	},
}
