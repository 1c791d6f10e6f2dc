package kruise

import (
	"fmt"
	"maps"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/manager"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Program is the kruise-manager. The flags and their defaults are the same in all releases
// of the table (main.go); without --sync-period, controller-runtime resyncs every 10h
// (pkg/cache/cache.go, v0.18.6), by a factor drawn for each informer (resyncPeriod of
// pkg/cache/internal/informers.go).
var Program = profile.Program{
	Program: manager.Program{
		Name: "kruise-manager", Product: "Kruise", Source: "pkg/controller/", Rows: rows, Implied: implied,
		Flags: manager.Flags{
			QPS: "rest-config-qps", Burst: "rest-config-burst", Resync: "sync-period",
			Elect: "enable-leader-election", LeaseDuration: "leader-election-lease-duration", RenewDeadline: "leader-election-renew-deadline",
			RetryPeriod: "leader-election-retry-period", LeaseName: "leader-election-id", LeaseNamespace: "leader-election-namespace",
		},
		Defaults: map[string]string{
			"rest-config-qps": "30", "rest-config-burst": "50", "sync-period": "10h0m0s",
			"enable-leader-election": "true", "leader-election-lease-duration": "15s", "leader-election-renew-deadline": "10s",
			"leader-election-retry-period": "2s", "leader-election-id": "kruise-manager", "leader-election-namespace": "kruise-system",
		},
		Switches: []string{ExcludePreparingDelete},
		Spread:   [2]float64{0.9, 1.1}, Drawn: "for each informer", Clients: "for each client",
		Metrics: manager.Metrics{Scheme: "http", Host: "metrics-addr", DefaultPort: "8080"},
	},
	Project: "OpenKruise", Gates: gates, ExampleGate: CloneSetPartitionRollback, Retagged: retagged,
}

// Elected is the manager as the holder of its Lease.
var Elected = lease.Program{
	Process: "kruise-manager", Lease: view.Need{Kind: view.Leases, Namespace: "kruise-system", Name: "kruise-manager"},
	Manager: "kruise-manager", Components: []string{"cloneset-controller"},
}

// Process is the manager in a cluster.
var Process = controller.Program{
	Program: Program,
	Pods:    view.Need{Kind: view.Pods, Namespace: Manager.Namespace, Selector: "control-plane=controller-manager"},
	Read:    read,
}

// read is what the manager's Deployment says.
func read(r *view.Reader, p profile.Profile) controller.Installed {
	d, seen := view.Get[*appsv1.Deployment](r, Manager)
	m := managerOf(d)
	i := controller.Installed{
		Installed: Of(p, d), Seen: seen,
		From: fmt.Sprintf("Deployment %s in %s", Manager.Name, Manager.Namespace), Arguments: m.Settings(Program.Program),
	}
	i.Arguments.Given = maps.Clone(p.Programs[Program.Name].Gates)
	switch err := r.Err(Manager); {
	case err != nil:
		i.Arguments.Unread = err.Error()
	case !seen:
		i.Arguments.Unread = "there is no " + i.From
	case m.Image == "":
		i.Arguments.Unread = i.From + " has no container manager"
	}
	return i
}
