package live

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"

var _ view.Reporter = (*Source)(nil)

// Reading lists what a Load is waiting for.
func (s *Source) Reading() []view.Reading {
	pending := s.awaited.Load()
	if pending == nil {
		return nil
	}
	var out []view.Reading
	for _, i := range *pending {
		if done, _ := i.outcome(); !done {
			out = append(out, view.Reading{Need: i.need, Objects: int(i.arrived.Load())})
		}
	}
	return out
}
