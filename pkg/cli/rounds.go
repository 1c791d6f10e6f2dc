package cli

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
)

// roundFlags ask for more than the next step.
type roundFlags struct {
	// rounds and readyAfter are nil unless the flag was given.
	rounds      *int32
	untilStable bool
	readyAfter  *time.Duration
}

func (f *roundFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var(optionalCount{&f.rounds}, "rounds", "simulate this many rounds of the controller on a virtual clock")
	flags.BoolVar(&f.untilStable, "until-stable", false, "simulate round after round, until nothing is left to do or it is shown why it will not move; more than 10000 new Pods are an error")
	flags.Var(optionalDuration{&f.readyAfter}, "ready-after", "with --rounds or --until-stable: how long a pod takes to become ready, such as 20s (default: the median of what this target's own pods took)")
}

// options are those of the simulation, nil when none is asked for.
func (f *roundFlags) options() (*simulate.Options, error) {
	switch {
	case f.rounds != nil && f.untilStable:
		return nil, usageError("--rounds and --until-stable are two different ends: give one of them")
	case f.rounds != nil && *f.rounds == 0:
		return nil, usageError("--rounds 0 would show nothing: want 1 or more, or no --rounds")
	case f.rounds != nil:
		return &simulate.Options{Rounds: int(*f.rounds), ReadyAfter: f.readyAfter}, nil
	case f.untilStable:
		return &simulate.Options{ReadyAfter: f.readyAfter}, nil
	case f.readyAfter != nil:
		return nil, usageError("--ready-after goes with --rounds or --until-stable")
	}
	return nil, nil
}
