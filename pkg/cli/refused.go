package cli

import (
	"errors"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// errRefused ends a command whose what-if would not be stored. The answer has
// said why.
var errRefused = errors.New("the change would be refused")

// refused is the answer to a change of which a webhook would not let an object
// be stored; nil when all of it would be.
func (s *session) refused(over *laid) (*decision.Decision, error) {
	seen := map[decision.Ref]bool{}
	for _, c := range over.changes {
		p, k, ok := s.controllers.ForRef(c.Object)
		if seen[c.Object] || !ok || p.Admit.Refuse == nil {
			continue
		}
		seen[c.Object] = true
		t := view.Target{Kind: k, Namespace: c.Object.Namespace, Name: c.Object.Name}
		obj := held(over.View, t)
		if obj == nil {
			continue
		}
		d, err := p.Admit.Refuse(over.reader, s.profile, obj, held(over.reader.View, t))
		if d != nil || err != nil {
			if d != nil {
				d.Assume(over.changes)
			}
			return d, err
		}
	}
	return nil, nil
}
