package decision

import "time"

// Timeline is what becomes of a target, round by round, on a virtual clock.
// Where chance decides, it follows one of the possible paths and says so.
type Timeline struct {
	// Answer is the whole timeline in one sentence, Cost what it means for
	// availability; empty where nothing goes or is updated.
	Answer string `json:"answer"`
	Cost   string `json:"cost,omitempty"`
	// Start is the clock's zero, and Counts what there was then.
	Start  time.Time `json:"start"`
	Counts Counts    `json:"counts"`
	// WatchLag is how long after a change the controllers see it, as a Go duration;
	// empty for at once.
	WatchLag string `json:"watchLag,omitempty"`
	// ReadyAfter is how long a pod takes to become ready, as a Go duration.
	ReadyAfter ReadyAfter `json:"readyAfter"`
	Rounds     []Round    `json:"rounds"`
	// Totals counts what is done in all rounds together.
	Totals Totals `json:"totals"`
	// Peak is when most pods are unavailable.
	Peak Peak `json:"peak"`
	End  End  `json:"end"`
	// Notes say what was assumed, and where chance has a part.
	Notes []Ruling `json:"notes,omitempty"`
}

// ReadyAfter is a duration and why it was taken.
type ReadyAfter struct {
	Duration string `json:"duration"`
	Ruling
}

// Round is one sync that does something.
type Round struct {
	// Number counts the rounds that change which pods there are or what they
	// run, from 1. A sync that only moves lifecycles on has the number 0.
	Number int `json:"number"`
	// Clock is the time since the start, as a Go duration.
	Clock string `json:"clock"`
	// Actions are what is done on this path, one for each object. Pods that
	// are created have names that are made up.
	Actions []Action `json:"actions"`
	// Stopped are syncs that ended early because a cache is behind.
	Stopped []Stop `json:"stopped,omitempty"`
	// Counts are those after the actions.
	Counts Counts `json:"counts"`
	// Depends tells that chance decided something in an earlier round, and
	// that this one may come out otherwise.
	Depends bool `json:"depends,omitempty"`
}

// Stop is a sync that ends early because its controller's cache is behind: its
// expectations hold it back, or the API server refuses a write as out of date.
type Stop struct {
	Object Ref `json:"object"`
	// Syncs is how many end alike, one after the other, from this round's clock on.
	Syncs int `json:"syncs"`
	Ruling
}

// Counts are the pods of a target at one moment.
type Counts struct {
	// Wanted is spec.replicas, Pods how many count towards it.
	Wanted int `json:"desired"`
	Pods   int `json:"pods"`
	Ready  int `json:"ready"`
	// Available are the pods ready for minReadySeconds; Unavailable is how
	// many are lacking to what is desired.
	Available   int `json:"available"`
	Unavailable int `json:"unavailable"`
	// Terminating pods are on their way out and not among Pods.
	Terminating int `json:"terminating,omitempty"`
	// Revisions tell apart the pods of each version of the template, the one
	// that is being rolled out first; none for kinds without revisions.
	Revisions []RevisionCount `json:"revisions,omitempty"`
}

// RevisionCount are the pods of one revision.
type RevisionCount struct {
	Name        string `json:"name"`
	Role        Role   `json:"role"`
	Pods        int    `json:"pods"`
	Ready       int    `json:"ready"`
	Available   int    `json:"available"`
	Unavailable int    `json:"unavailable"`
}

// Totals counts actions over a whole Timeline.
type Totals struct {
	// Rounds are the numbered ones.
	Rounds  int `json:"rounds"`
	Create  int `json:"create"`
	Delete  int `json:"delete"`
	Adopt   int `json:"adopt"`
	Release int `json:"release"`
	Update  int `json:"update"`
	// Recreate are those that are marked for it and deleted, Marked those that are
	// marked alone: a hook holds them, or they are deleted in a later round.
	Recreate     int `json:"recreate"`
	Marked       int `json:"marked,omitempty"`
	DeleteClaims int `json:"deleteClaims"`
	// Stopped counts the syncs that ended early because a cache is behind.
	Stopped int `json:"stopped,omitempty"`
}

// Peak is the largest unavailability of a Timeline.
type Peak struct {
	Unavailable int    `json:"unavailable"`
	Clock       string `json:"clock"`
}

// Outcome is how a Timeline ends.
type Outcome string

// Stable targets have all that their spec asks for. Held ones wait because
// their spec says so, Blocked ones because something is missing that time does
// not bring. Unfinished Timelines were cut off.
const (
	Stable     Outcome = "stable"
	Held       Outcome = "held"
	Blocked    Outcome = "blocked"
	Unfinished Outcome = "unfinished"
)

// End is the last state of a Timeline.
type End struct {
	Outcome Outcome `json:"outcome"`
	Ruling
	// Why are the controller's own rulings that leave something undone.
	Why    []Ruling `json:"why,omitempty"`
	Clock  string   `json:"clock"`
	Counts Counts   `json:"counts"`
}

// EachRuling calls f for the rulings of the simulation itself. Those of actions
// and of End.Why are the controller's.
func (t *Timeline) EachRuling(f func(*Ruling)) {
	f(&t.ReadyAfter.Ruling)
	f(&t.End.Ruling)
	for i := range t.Notes {
		f(&t.Notes[i])
	}
}
