package decision

// Role is what a ReplicaSet or a revision is in a rollout.
type Role string

// The roles.
const (
	// New: it has the template that is being rolled out.
	New Role = "new"
	// Old: it has another template.
	Old Role = "old"
)

// Set is one ReplicaSet of a Deployment.
type Set struct {
	// Object is the ReplicaSet.
	Object Ref `json:"object"`
	// Role reports whether it is new or old.
	Role Role `json:"role"`
	// Revision is the number that it is annotated with; absent for none.
	Revision string `json:"revision,omitempty"`
	// Replicas is spec.replicas before the sync.
	Replicas int32 `json:"from"`
	// Next is spec.replicas after the sync.
	Next int32 `json:"to"`
	// Available is status.availableReplicas.
	Available int32 `json:"available"`
	// Actual is status.replicas.
	Actual int32 `json:"current"`
	// Counted are its Pods as they are, where its status says otherwise.
	Counted *Counted `json:"counted,omitempty"`
	// Deleted is true when the sync deletes it.
	Deleted bool `json:"deleted,omitempty"`
	// Deleting is true when it is being deleted.
	Deleting bool `json:"-"`
}

// Counted counts Pods.
type Counted struct {
	// Pods is how many there are that count.
	Pods int32 `json:"pods"`
	// Available is how many of them are available.
	Available int32 `json:"available"`
}

// Effect is what another controller does next.
type Effect struct {
	// Cause is the object whose controller acts on it next: an action changed it, or it
	// has something to do anyway.
	Cause Ref `json:"target"`
	// Answer is what its controller does, in one sentence.
	Answer string `json:"answer"`
	// Summary counts what its controller does.
	Summary Summary `json:"summary"`
	// Actions are what its controller does.
	Actions []Action `json:"actions"`
	// Ranking is its order of deletion, absent where it does not choose.
	Ranking *Ranking `json:"ranking,omitempty"`
	// Later counts what its later syncs delete without any change.
	Later Toll `json:"-"`
	// Evidence is what the surroundings say about why it may not have acted yet.
	Evidence []Evidence `json:"evidence,omitempty"`
	// Caveats are the limits of what is said of it.
	Caveats []Caveat `json:"caveats"`
	// Refusal says that what it would create is refused or may be, and by what; empty for
	// what is accepted.
	Refusal string `json:"-"`
	// Due reports whether it does not follow from an action of the target's controller.
	Due bool `json:"-"`
	// Refused reports whether all that it would create is refused, or was when it was tried
	// last, and nothing is deleted that could make room.
	Refused bool `json:"-"`
}

// Sizes are what a set wants: now, after the sync, and after each of the target's own that
// follow it at once, where that changes it.
func (d *Decision) Sizes(s Set) []int32 {
	all := []int32{s.Replicas}
	to := func(n int32) {
		if n != all[len(all)-1] {
			all = append(all, n)
		}
	}
	to(s.Next)
	for _, e := range d.Follows {
		for _, a := range e.Actions {
			if e.Cause == d.Target && a.Verb == Scale && a.Object.Qualified() == s.Object.Qualified() {
				to(*a.To)
			}
		}
	}
	return all
}

// Retry is when the controller of an object syncs it again after a sync that fails.
type Retry struct {
	// Object is the object that is synced.
	Object Ref `json:"object"`
	Ruling
}
