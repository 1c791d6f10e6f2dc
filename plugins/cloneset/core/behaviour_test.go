package core

import (
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// TestExclude: the manager's flag counts as it is set, and where it stands alone.
func TestExclude(t *testing.T) {
	for args, want := range map[string]bool{"": true, "=true": true, "=false": false} {
		m := profile.Manager{Image: "kruise-manager:v1.9.0", Args: []string{"--" + kruise.ExcludePreparingDelete + args}}
		if got := BehaviourOf(kruise.Program.Installed(profile.ProgramOptions{}, m)).Exclude; got != want {
			t.Errorf("%s: excludes %v", m.Args, got)
		}
	}
	if BehaviourOf(kruise.Program.Installed(profile.ProgramOptions{}, profile.Manager{})).Exclude {
		t.Error("excludes without the flag")
	}
}
