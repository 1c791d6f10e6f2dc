package golden

import (
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Mangled are the controllers with all facts and messages of their decisions made
// unreadable: whatever goes by what a decision says, and not by what it is, goes
// wrong with them.
func Mangled(all controller.Registry) controller.Registry {
	var mangled []controller.Controller
	for _, c := range all {
		step, decide := c.Step, c.Decide
		c.Decide = func(r *view.Reader, p profile.Profile, t controller.Target) (*decision.Decision, error) {
			d, err := decide(r, p, t)
			return mangle(d), err
		}
		if step != nil {
			c.Step = func(r *view.Reader, p profile.Profile, t controller.Target) (*simulate.Sync, error) {
				s, err := step(r, p, t)
				if err != nil {
					return nil, err
				}
				mangle(s.Decision)
				left := s.Left
				s.Left = func() (why []decision.Ruling, bySpec bool) {
					why, bySpec = left()
					for i := range why {
						mangleRuling(&why[i])
					}
					return why, bySpec
				}
				return s, nil
			}
		}
		if c.Agent != nil && c.Agent.Memory != nil {
			agent, memory := *c.Agent, c.Agent.Memory
			agent.Memory = func(now clock.PassiveClock) controller.Memory { return mangledMemory{memory(now)} }
			c.Agent = &agent
		}
		mangled = append(mangled, c)
	}
	return controller.NewRegistry(mangled...)
}

type mangledMemory struct{ controller.Memory }

func (m mangledMemory) Begin(r *view.Reader, p profile.Profile, t controller.Target) controller.Decide {
	decide := m.Memory.Begin(r, p, t)
	return func(r *view.Reader, p profile.Profile, t controller.Target) (*decision.Decision, error) {
		d, err := decide(r, p, t)
		return mangle(d), err
	}
}

func mangle(d *decision.Decision) *decision.Decision {
	if d != nil {
		d.EachRuling(mangleRuling)
		d.Count.Of = mangleFacts(d.Count.Of)
	}
	return d
}

func mangleRuling(r *decision.Ruling) {
	r.Facts, r.Message = mangleFacts(r.Facts), "mangled"
}

func mangleFacts(all decision.Facts) decision.Facts {
	mangled := make(decision.Facts, len(all)) // rulings share theirs
	for i, f := range all {
		mangled[i] = decision.F("mangled "+decision.Key(f.Name), "mangled")
	}
	return mangled
}
