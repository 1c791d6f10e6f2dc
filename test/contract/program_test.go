package contract

import (
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/docs/examples/pvcprotection"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/manager"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// toys is the manager of a third product.
var toys = profile.Program{
	Program: manager.Program{
		Name: "toy-manager", Product: "Tin Toys", Source: "pkg/",
		Rows: []manager.Row{{Since: 1, Until: 3, Controller: manager.Controller{
			Name: "persistentvolumeclaim-controller", Gates: []manager.Gate{{Name: "ToyEngine", Stage: "Alpha"}}, Start: "Add", File: "toy.go", Workers: manager.Workers{Default: 2},
		}}},
		Flags:    manager.Flags{QPS: "qps", Burst: "burst", Resync: "resync", Elect: "elect", LeaseName: "lease", LeaseNamespace: "lease-namespace"},
		Defaults: map[string]string{"qps": "5", "burst": "10", "resync": "1h0m0s", "elect": "true", "lease": "toys", "lease-namespace": "toys"},
		Spread:   [2]float64{1, 1}, Drawn: "never", Clients: "for all",
	},
	Project: "OpenToys", Gates: []profile.Gate{{Name: "ToyEngine", Since: 2}}, ExampleGate: "ToyEngine",
}

// third is a controller of that product.
func third() controller.Controller {
	c := pvcprotection.Controller()
	c.Agent = &controller.Agent{
		Handle:  func(view.Kind) handlers.Handle { return nil },
		Manager: toys.Name, Lease: lease.ControllerManager.Lease,
		Program: &controller.Program{Program: toys, Read: func(_ *view.Reader, p profile.Profile) controller.Installed {
			i := controller.Installed{Installed: toys.Installed(p.Programs[toys.Name], profile.Manager{}), Seen: true, From: "a box"}
			i.Arguments.Given = p.Programs[toys.Name].Gates
			i.Arguments.Gate = func(manager.Gate) (on, set bool) { return false, false }
			return i
		}},
	}
	return c
}

// TestThirdProgram: of a controller's manager, flags, completion and answers follow from what
// the controller declares.
func TestThirdProgram(t *testing.T) {
	all := controller.NewRegistry(append(plugins.All(), third())...)
	const toy = "controllers --manager toy-manager --from testdata/cluster.yaml "
	for _, q := range []question{
		{"explain --help", 0, "model the controllers of this OpenToys version, such as 1.2 (default: that of the toy-manager's image, else the newest known)\n"},
		{"explain --help", 0, "--tin-toys-feature-gates string"},
		{"explain --help", 0, "feature gates of the toy-manager, such as ToyEngine=true (default: "},
		{"explain --help", 0, "--kruise-version string"},
		{"version --client", 0, ", and of Kruise 1.5 to 1.9, and of Tin Toys 1.1 to 1.3\n"},
		{toy + "persistentvolumeclaim", 0, "persistentvolumeclaim-controller is off in toy-manager of Tin Toys 1.3."},
		{toy + "persistentvolumeclaim --tin-toys-version 1.2 --tin-toys-feature-gates ToyEngine=true", 0, "persistentvolumeclaim-controller is on in toy-manager of Tin Toys 1.2."},
		{toy + "--tin-toys-version new", 2, `--tin-toys-version: "new" is no Tin Toys version: want major.minor or major.minor.patch, such as 1.3`},
		{toy + "--tin-toys-version 1.1 --tin-toys-feature-gates ToyEngine=true", 2, "--tin-toys-feature-gates: feature gate ToyEngine does not exist in Tin Toys 1.1 (it came with 1.2)"},
		{toy + "--tin-toys-feature-gates KruiseDaemon=true", 2, `--tin-toys-feature-gates: feature gate "KruiseDaemon" is not one of Tin Toys`},
		{toy + "--kruise-feature-gates ToyEngine=true", 2, `--kruise-feature-gates: feature gate "ToyEngine" is not one of Kruise`},
	} {
		t.Run(q.args, func(t *testing.T) { check(t, q, runOf(t, all, strings.Fields(q.args))) })
	}
	for flag, want := range map[string]string{"--tin-toys-version": "1.3\n1.2\n1.1\n", "--tin-toys-feature-gates": "ToyEngine=true\nToyEngine=false\n"} {
		check(t, question{want: want}, runOf(t, all, []string{"__complete", "explain", flag, ""}))
	}
}
