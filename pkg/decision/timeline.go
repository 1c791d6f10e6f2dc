package decision

import "time"

// Timeline is what becomes of an object, round by round, on a virtual clock. Where
// that is not deterministic, it follows one of the possible paths and says so.
type Timeline struct {
	// Answer is all rounds in one sentence.
	Answer string `json:"answer"`
	// Cost is what they mean for availability; absent where no Pod is deleted or updated.
	Cost string `json:"cost,omitempty"`
	// Start is the clock's zero.
	Start time.Time `json:"start"`
	// Counts are those before the first round.
	Counts Counts `json:"counts"`
	// WatchLag is how long after a change the controllers see it; absent for at once.
	WatchLag Span `json:"watchLagSeconds,omitempty"`
	// ReadyAfter is how long a Pod is assumed to take to become ready.
	ReadyAfter ReadyAfter `json:"readyAfter"`
	// Rounds are the syncs that do something, in their order.
	Rounds []Round `json:"rounds"`
	// Totals counts what is done in all rounds together.
	Totals Totals `json:"totals"`
	// Peak is when most Pods are unavailable.
	Peak Peak `json:"peak"`
	// Overdue is the first time that a deadline for progress passes while rounds go on; absent
	// where none does.
	Overdue *Overdue `json:"overdue,omitempty"`
	// End is how the rounds end.
	End End `json:"end"`
	// Notes say what was assumed, and what is not deterministic.
	Notes []Ruling `json:"notes,omitempty"`
	// Unforeseen are the names of Pods that rounds may delete on another path than this one,
	// each with what tells those apart that are chosen from together.
	Unforeseen map[string]string `json:"-"`
	// Lacking are the names of the Pods of the start that the rounds leave as they are, that are
	// of what is rolled out, and that are not available at the end.
	Lacking map[string]bool `json:"-"`
	// Uneven is true where counts, rounds and the end depend on how ties are broken: this is
	// one of several possible outcomes.
	Uneven bool `json:"outcomesDiffer,omitempty"`
}

// ReadyAfter is how long a Pod is assumed to take to become ready, and why.
type ReadyAfter struct {
	// Duration is that time.
	Duration Span `json:"seconds"`
	Ruling
}

// Round is one sync that does something.
type Round struct {
	// Number counts the rounds that change which Pods there are or what they run, from 1; 0
	// for a sync that does neither.
	Number int `json:"number"`
	// Clock is the time since the start.
	Clock Span `json:"atSeconds"`
	// Actions are what is done on this path, one for each object. The names of Pods that are
	// created are made up.
	Actions []Action `json:"actions"`
	// Stopped are syncs that ended early because a cache is behind.
	Stopped []Stop `json:"stopped,omitempty"`
	// Counts are those after the actions.
	Counts Counts `json:"counts"`
	// Depends is true when an earlier round was not deterministic, and this one may be
	// another.
	Depends bool `json:"depends,omitempty"`
}

// Stop is a sync that ends early because its controller's cache is behind: its
// expectations hold it back, or the API server refuses a write as out of date.
type Stop struct {
	// Object is the one whose sync ended.
	Object Ref `json:"object"`
	// Syncs is how many end alike, one after the other, from this round's clock on.
	Syncs int `json:"syncs"`
	Ruling
}

// Counts are the Pods of an object at one moment.
type Counts struct {
	// Wanted is spec.replicas.
	Wanted int `json:"desired"`
	// Pods is how many Pods count towards it.
	Pods int `json:"pods"`
	// Ready is how many of them are ready.
	Ready int `json:"ready"`
	// Available is how many of them are ready for minReadySeconds.
	Available int `json:"available"`
	// Unavailable is how many available Pods are lacking.
	Unavailable int `json:"unavailable"`
	// Terminating is how many Pods are being deleted; they are not among the others.
	Terminating int `json:"terminating,omitempty"`
	// Revisions are the counts of each revision, the one that is being rolled out first;
	// absent for kinds without revisions.
	Revisions []RevisionCount `json:"revisions,omitempty"`
}

// RevisionCount is how many Pods carry a revision.
type RevisionCount struct {
	// Name is the name of the revision.
	Name string `json:"name"`
	// Role reports whether it is new or old.
	Role Role `json:"role"`
	// Pods is how many Pods carry it.
	Pods int `json:"pods"`
	// Ready is how many of them are ready.
	Ready int `json:"ready"`
	// Available is how many of them are available.
	Available int `json:"available"`
	// Unavailable is how many of them are not available.
	Unavailable int `json:"unavailable"`
}

// Totals counts what all rounds do together.
type Totals struct {
	// Rounds is how many rounds there are, without those of number 0.
	Rounds int `json:"rounds"`
	// Create counts the Pods that are created.
	Create int `json:"create"`
	// Delete counts the Pods that are deleted.
	Delete int `json:"delete"`
	// Adopt counts the Pods that are adopted.
	Adopt int `json:"adopt"`
	// Release counts the Pods that are released.
	Release int `json:"release"`
	// Update counts the Pods that are updated in place.
	Update int `json:"update"`
	// Recreate counts the Pods that are marked for replacement and deleted.
	Recreate int `json:"recreate"`
	// Marked counts the Pods that are marked and not deleted yet: a hook holds them, or a
	// later round deletes them.
	Marked int `json:"marked,omitempty"`
	// DeleteClaims counts the PersistentVolumeClaims that are deleted.
	DeleteClaims int `json:"deleteClaims"`
	// Stopped counts the syncs that ended early because a cache is behind.
	Stopped int `json:"stopped,omitempty"`
	// Most is what a sync of the rounds may bring the deletions to, whatever it chooses, and how
	// many Pods may be updated in place that the rounds recreate.
	Most Toll `json:"-"`
}

// Choose takes into account what a sync may choose.
func (t *Totals) Choose(d *Decision) {
	if d.Summary.Delete() > 0 {
		t.Most.PodsDeleted = max(t.Most.PodsDeleted, t.Delete+d.podsDeleted())
	}
	for _, c := range d.Choices() {
		if c.Pool.Kind == podKind {
			t.Most.PodsUpdated += c.updatedInstead()
		}
	}
	t.Most.ClaimsDeleted = max(t.Most.ClaimsDeleted, t.DeleteClaims+d.Summary.DeleteClaims)
}

// podsDeleted is how many Pods are deleted at most.
func (d *Decision) podsDeleted() (n int) {
	for i := range d.Actions {
		a := &d.Actions[i]
		if _, shared := a.Pool(); a.Verb == Delete && a.Object.Kind == podKind && !shared {
			n += a.Count
		}
	}
	for _, c := range d.Choices() {
		if c.Pool.Kind == podKind && c.Gravest() == Delete {
			n += c.K
		}
	}
	return n
}

// Peak is when most Pods are unavailable.
type Peak struct {
	// Unavailable is how many Pods are unavailable then.
	Unavailable int `json:"unavailable"`
	// Clock is when that is since the start.
	Clock Span `json:"atSeconds"`
	// Later is how many are unavailable at most once the first round is over.
	Later int `json:"-"`
}

// Overdue is a deadline for progress that passes before the rounds are over.
type Overdue struct {
	// Clock is when that is since the start.
	Clock Span `json:"atSeconds"`
	Ruling
}

// When is Clock in words: "after 31s".
func (o Overdue) When() string {
	if o.Clock == 0 {
		return "at once"
	}
	return "after " + o.Clock.Elapsed()
}

// Outcome is how the rounds end.
type Outcome string

// The outcomes.
const (
	// Stable: all that is desired is available, and nothing is left to do, or what the spec
	// keeps from being done, such as a partition: then why says so.
	Stable Outcome = "stable"
	// Blocked: something outside the controller keeps the rest from being done.
	Blocked Outcome = "blocked"
	// Unfinished: there are more rounds than were asked for, or what follows depends on what
	// is not simulated.
	Unfinished Outcome = "unfinished"
)

// End is how the rounds end.
type End struct {
	// Outcome says how.
	Outcome Outcome `json:"outcome"`
	Ruling
	// Why are the controller's own rulings that leave something undone.
	Why []Ruling `json:"why,omitempty"`
	// Clock is when that is since the start.
	Clock Span `json:"atSeconds"`
	// Counts are those at the end.
	Counts Counts `json:"counts"`
	// Later is what is left to create and delete where it is blocked, Hanging what lifecycle
	// hooks hold then.
	Later, Hanging Toll `json:"-"`
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

// MayDelete notes a Pod that rounds may delete on another path, and what tells those apart
// that are chosen from together.
func (t *Timeline) MayDelete(pod, choice string) {
	if t.Unforeseen == nil {
		t.Unforeseen = map[string]string{}
	}
	t.Unforeseen[pod] = choice
}

// AddAnswer adds to the first line.
func (t *Timeline) AddAnswer(said string) { t.Answer += said }

// Retell replaces the first line.
func (t *Timeline) Retell(said string) { t.Answer = said }
