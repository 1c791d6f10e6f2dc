package decision

// Verbs of controllers that change pods and keep them.
const (
	// UpdateInPlace: the spec of a Pod is changed without replacing it.
	UpdateInPlace Verb = "update-in-place"
	// Recreate: a Pod is marked for deletion in a later sync, because one of another
	// revision is to replace it.
	Recreate Verb = "recreate"
	// SetState: a Pod enters another state of its lifecycle.
	SetState Verb = "set-state"
	// SetCondition: a condition is written into the status of a Pod.
	SetCondition Verb = "set-condition"
	// Detach: the object is handed to another owner.
	Detach Verb = "detach"
)

// UpdateState is what becomes of a Pod in a rollout.
type UpdateState string

// The states of an update.
const (
	// Updated: the Pod has the revision that it shall have.
	Updated UpdateState = "updated"
	// InPlace: this sync updates the Pod in place.
	InPlace UpdateState = "in-place"
	// Recreated: this sync marks the Pod for replacement.
	Recreated UpdateState = "recreate"
	// Preparing: the Pod enters the state in which a hook holds it.
	Preparing UpdateState = "preparing"
	// Waiting: the Pod is to be updated, but not by this sync.
	Waiting UpdateState = "waiting"
	// Kept: the Pod stays on another revision, as the spec says. Where that is possible, so
	// many Pods do, and later syncs choose again which ones.
	Kept UpdateState = "kept"
	// Refused: the Pod can't be updated, and those behind it wait.
	Refused UpdateState = "refused"
)

// Update is the verdict on one Pod in a rollout.
type Update struct {
	// Object is the Pod.
	Object Ref `json:"object"`
	// Revision is the revision that the Pod carries.
	Revision string `json:"revision"`
	// State is what becomes of the Pod in the rollout.
	State UpdateState `json:"action"`
	// Certainty reports whether that is certain.
	Certainty Certainty `json:"certainty"`
	// Choice is how many of how many are chosen; absent where it is certain.
	Choice *Choice `json:"choice,omitempty"`
	// Place is the Pod's place among those that wait for the update, from 1; Pods of one
	// place have no order. Absent for Pods that do not wait.
	Place int `json:"place,omitempty"`
	// Order is why the Pod comes behind the one before it, the first one before the next;
	// absent for Pods that do not wait, and behind the first 100.
	Order *Ruling `json:"order,omitempty"`
	// Budget is what a PodUnavailableBudget says to a Pod that this sync updates; absent
	// where none is asked. Where it refuses, the rule is the same.
	Budget *Ruling `json:"budget,omitempty"`
	Ruling
}

// Doubt makes the verdict possible.
func (u *Update) Doubt() { u.Certainty = Possible }

// Rollout is how many Pods are updated and are to be, how many the partition keeps, and how
// many the sync tries to create. Doubted: which Pods are updated is not known.
type Rollout struct {
	Updated, Desired, Partition, Creates int
	Doubted                              bool
	// Kept is how many Pods the partition keeps, and KeptOn the revision of all of them, empty
	// where they are of several. Paused: without the partition they are not updated either.
	Kept   int
	KeptOn string
	Paused bool
}

// Keep counts a Pod that the partition keeps on its revision.
func (r *Rollout) Keep(revision string) {
	if r.Kept++; r.Kept == 1 {
		r.KeptOn = revision
	} else if r.KeptOn != revision {
		r.KeptOn = ""
	}
}

// Outdated reports whether fewer Pods are updated than are to be.
func (r *Rollout) Outdated() bool { return r != nil && r.Updated < r.Desired }

// Hooked is a Pod that a lifecycle hook holds, and By what is set or missing for that.
type Hooked struct{ Pod, Hook, By string }

// Refusal is a disruption budget that refuses, by so many available Pods.
type Refusal struct {
	Budget             string
	Available, Desired int
	// Deletions: it refuses these, and not the update of a Pod.
	Deletions bool
}

// Revision is one version of the target's template.
type Revision struct {
	// Name is the name of the ControllerRevision.
	Name string `json:"name"`
	// Number is the order of revisions; 0 for one that is still to be made.
	Number int64 `json:"number"`
	// Roles are update, current, or neither.
	Roles []string `json:"roles,omitempty"`
	// Pods is how many Pods carry it.
	Pods int `json:"pods"`
	Ruling
}

// Reason answers a question that readers ask of a rollout.
type Reason struct {
	// Question is the question, without the word why.
	Question string `json:"question"`
	Ruling
}

func (d *Decision) eachUpdateRuling(f func(*Ruling)) {
	for i := range d.Reasons {
		f(&d.Reasons[i].Ruling)
	}
	for i := range d.Revisions {
		f(&d.Revisions[i].Ruling)
	}
	for i := range d.Updates {
		f(&d.Updates[i].Ruling)
		for _, r := range []*Ruling{d.Updates[i].Budget, d.Updates[i].Order} {
			if r != nil {
				f(r)
			}
		}
	}
	for _, r := range d.MoreRankings {
		r.eachRuling(f)
	}
	for i := range d.Limits {
		f(&d.Limits[i])
	}
}
