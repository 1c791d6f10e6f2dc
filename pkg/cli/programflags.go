package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
)

// programFlags are about a controller manager that is installed beside Kubernetes' own.
type programFlags struct {
	program profile.Program
	version string
	gates   []string
}

func (f *programFlags) add(cmd *cobra.Command) {
	p := f.program
	versions := texts(p.Versions())
	slices.Reverse(versions) // the newest first
	example := versions[min(1, len(versions)-1)]
	cmd.Flags().StringVar(&f.version, p.VersionFlag(), "", fmt.Sprintf("model the controllers of this %s version, such as %s (default: that of the %s's image, else the newest known)", p.Project, example, p.Name))
	cmd.Flags().StringSliceVar(&f.gates, p.GatesFlag(), nil, fmt.Sprintf("feature gates of the %s, such as %s=true (default: those of its arguments, else of the version)", p.Name, p.ExampleGate))
	completeWith(cmd, p.VersionFlag(), versions...)
	completeWith(cmd, p.GatesFlag(), onOff(p.GateNames())...)
}

// options are what the flags say. Errors: no version, and a gate that it does not have.
func (f *programFlags) options() (profile.ProgramOptions, error) {
	p, o := f.program, profile.ProgramOptions{Version: f.version}
	gates, err := p.ParseGates(strings.Join(f.gates, ","))
	if err != nil {
		return o, usageError("--%s: %w", p.GatesFlag(), err)
	}
	if err := p.Check(o); err != nil {
		return o, usageError("--%s: %w", p.VersionFlag(), err)
	}
	o.Gates = gates
	if err := p.Check(o); err != nil {
		return o, usageError("--%s: %w", p.GatesFlag(), err)
	}
	return o, nil
}

func texts(versions []profile.Version) (all []string) {
	for _, v := range versions {
		all = append(all, v.String())
	}
	return all
}
