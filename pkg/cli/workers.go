package cli

import (
	"context"
	"maps"
	"strconv"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/manager"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// mostWorkers bounds --workers: each is a goroutine.
const mostWorkers = 1000

// workersHere are how many keys of each controller this trace syncs at a time: as the flag
// says, or as many as its manager does.
func (f *traceFlags) workersHere(traced []controller.Running, managers map[string]entry.Workers) map[string]int {
	here := map[string]int{}
	for _, c := range traced {
		here[c.Name()] = f.workers
		if n, err := strconv.Atoi(managers[c.Name()].Manager); err == nil && f.workers == 0 {
			here[c.Name()] = min(n, mostWorkers)
		}
	}
	return here
}

// workers are how many each of the traced controllers has in its manager, by its name
// there. What a manager's arguments can't tell is left out.
func (o *opened) workers(ctx context.Context, traced []controller.Running) map[string]entry.Workers {
	own, _ := o.kubernetesManager()
	all := workersOf(own.controllers)
	for _, p := range o.controllers.Programs() {
		if !runsAny(p, traced) {
			continue
		}
		found, err := view.Settle(ctx, o.Source, func(v *view.View) (controller.Installed, []*view.Reader, error) {
			r := v.Reader()
			return p.Read(r, o.profile), []*view.Reader{r}, nil
		})
		if err != nil {
			continue // that is said of the trace itself
		}
		i := found.Value()
		maps.Copy(all, workersOf(p.Standings(i.Version.Minor, i.Version.Minor, i.Arguments)))
	}
	return all
}

func runsAny(p *controller.Program, traced []controller.Running) bool {
	for _, c := range traced {
		if c.Of(p) {
			return true
		}
	}
	return false
}

func workersOf(all []manager.Standing) map[string]entry.Workers {
	workers := map[string]entry.Workers{}
	for _, s := range all {
		if s.Count.Value != "" {
			workers[s.Name] = entry.Workers{Manager: s.Count.Value, Flag: s.Count.Flag, Source: string(s.Count.Source)}
		}
	}
	return workers
}
