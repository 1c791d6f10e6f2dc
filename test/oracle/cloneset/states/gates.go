package states

import (
	"maps"
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/cloneset/contract"
)

// drawGates sets some of the version's feature gates.
func (s *scene) drawGates() map[string]bool {
	gates := map[string]bool{}
	known := kruise.Program.Installed(profile.ProgramOptions{Version: s.modelled.String()}, profile.Manager{}).Gates
	for _, name := range slices.Sorted(maps.Keys(known)) {
		switch name {
		case kruise.KruiseDaemon, kruise.PodWebhook:
			if s.chance(3) {
				gates[name] = false
			}
		case kruise.EnvFromMetadata:
			if s.chance(15) {
				gates[name] = false
			}
		case kruise.UnavailableBudgetUpdate:
			if s.chance(35) {
				gates[name] = true
			}
		case kruise.PreDownloadImage: // leaves jobs, which no prediction shows
		default:
			if s.chance(18) {
				gates[name] = true
			}
		}
	}
	return gates
}

func (s *scene) flags() contract.Flags {
	return contract.Flags{
		ScalingExcludePreparingDelete: s.chance(10),
		ServerVersion:                 mostly(s.draw, "", 30, "v1.31.9"),
	}
}
