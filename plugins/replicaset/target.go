package replicaset

import (
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// target is the set that a sync is about, with what the sync goes by. Its methods read, and
// change nothing.
type target struct {
	r         *view.Reader
	profile   profile.Profile
	behaviour behaviour
	now       time.Time
	set       *set
}

func targetOf(r *view.Reader, p profile.Profile, set *set) target {
	return target{r: r, profile: p, behaviour: behaviourOf(p, set.isRC()), now: r.Now(), set: set}
}
