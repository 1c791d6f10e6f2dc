package cli

import (
	"time"

	"github.com/spf13/cobra"
	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
)

// roundFlags ask for more than the next step.
type roundFlags struct {
	// rounds and readyAfter are nil unless the flag was given.
	rounds      *int32
	untilStable bool
	readyAfter  *time.Duration
	watchLag    *time.Duration
}

func (f *roundFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var(optionalCount{&f.rounds}, "rounds", "simulate this many rounds of the controller on a virtual clock")
	flags.BoolVar(&f.untilStable, "until-stable", false, "simulate round after round, until nothing is left to do or the rounds are blocked; more than 10000 new Pods are an error")
	flags.Var(optionalDuration{&f.readyAfter}, "ready-after", "with --rounds or --until-stable: how long a Pod takes to become ready, such as 20s (default: the median of what this target's own Pods took)")
	flags.Var(optionalDuration{&f.watchLag}, "watch-lag", "with --rounds or --until-stable: how long after a change the controllers' caches show it, such as 500ms (default: at once)")
	completeWith(cmd, "ready-after", "10s", "30s", "1m")
	completeWith(cmd, "watch-lag", "100ms", "500ms", "2s")
}

// options are those of the simulation, nil when none is asked for.
func (f *roundFlags) options() (*simulate.Options, error) {
	switch {
	case f.rounds != nil && f.untilStable:
		return nil, usageError("--rounds and --until-stable are two different ends: give one of them")
	case f.rounds != nil && *f.rounds == 0:
		return nil, usageError("--rounds 0 would show nothing: want 1 or more, or no --rounds")
	case f.rounds != nil:
		return &simulate.Options{Rounds: int(*f.rounds), ReadyAfter: f.readyAfter, WatchLag: ptr.Deref(f.watchLag, 0)}, nil
	case f.untilStable:
		return &simulate.Options{ReadyAfter: f.readyAfter, WatchLag: ptr.Deref(f.watchLag, 0)}, nil
	case f.readyAfter != nil:
		return nil, usageError("--ready-after needs --rounds or --until-stable")
	case f.watchLag != nil:
		return nil, usageError("--watch-lag needs --rounds or --until-stable")
	}
	return nil, nil
}
