package ownership

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// Recheck is the live read of a controller's own object before the first adoption of a
// sync, with what came of it: nil, or why nothing is adopted.
func Recheck(owner decision.Ref, refused error) decision.Ruling {
	return rechecked(ReadBeforeAdopting, owner, refused)
}

// CachedRecheck is the same read by Kruise's ref manager, which asks the manager's cache.
func CachedRecheck(owner decision.Ref, refused error) decision.Ruling {
	return rechecked(ReadFromCache, owner, refused)
}

func rechecked(rule string, owner decision.Ref, refused error) decision.Ruling {
	facts := []decision.Fact{decision.F(keyOwner, owner.String()), decision.At(keyUID, owner.UID, "metadata.uid")}
	if refused != nil {
		facts = append(facts, decision.F(keyError, refused.Error()))
	}
	return decision.Ruled(rule, facts...)
}

// Manner is how the controller claims, where there is something to say: how it reads its
// own object before it adopts, and how Kruise's ref manager differs. The answers about many
// objects share it.
func (c *Controller) Manner(adopts bool) *decision.Ruling {
	said := &c.manners.ignoring
	if adopts {
		said = &c.manners.adopting
	}
	if *said == nil {
		*said = c.manner(adopts)
	}
	return *said
}

func (c *Controller) manner(adopts bool) *decision.Ruling {
	var r decision.Ruling
	switch {
	case c.Updates && adopts:
		r = CachedRecheck(c.Ref, nil)
	case c.Updates:
		r = RefManagerDiffers()
	case adopts:
		r = Recheck(c.Ref, nil)
	default:
		return nil
	}
	return &r
}
