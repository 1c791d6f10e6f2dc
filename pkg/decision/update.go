package decision

// Verbs of controllers that change pods and keep them.
const (
	// UpdateInPlace changes a pod's spec without replacing it.
	UpdateInPlace Verb = "update-in-place"
	// Recreate marks a pod for deletion in a later sync, because it is to be
	// replaced by one of another revision.
	Recreate Verb = "recreate"
	// SetState moves a pod to another state of its lifecycle.
	SetState Verb = "set-state"
	// SetCondition writes a condition into a pod's status.
	SetCondition Verb = "set-condition"
	// Detach hands an object to another owner.
	Detach Verb = "detach"
)

// Course is what an update means for one pod.
type Course string

// The courses of an update.
const (
	// Updated pods are where they shall be.
	Updated Course = "updated"
	// InPlace and Recreated pods are updated by this sync; Preparing ones are
	// moved to the state in which a hook holds them until it lets go.
	InPlace   Course = "in-place"
	Recreated Course = "recreate"
	Preparing Course = "preparing"
	// Waiting pods are to be updated, but not by this sync.
	Waiting Course = "waiting"
	// Kept pods stay on another revision for good, as the spec demands.
	Kept Course = "kept"
	// Refused pods can't be updated, and hold up those behind them.
	Refused Course = "refused"
)

// Update is the verdict on one pod in a rollout.
type Update struct {
	Object Ref `json:"object"`
	// Revision is the one that the pod carries.
	Revision  string    `json:"revision"`
	Course    Course    `json:"course"`
	Certainty Certainty `json:"certainty"`
	// Choice is set when Certainty is Possible.
	Choice *Choice `json:"choice,omitempty"`
	// Place is the pod's place among those that wait for the update, from 1;
	// pods of one place have no order. 0 for pods that do not wait.
	Place int `json:"place,omitempty"`
	// Budget is what a budget for disruptions says to a pod that this sync
	// updates. Nil where none was asked; where it refuses, that is the Ruling.
	Budget *Ruling `json:"budget,omitempty"`
	Ruling
}

// Revision is one version of the target's template.
type Revision struct {
	Name string `json:"name"`
	// Number is the order of revisions; 0 for one that is still to be made.
	Number int64 `json:"number"`
	// Roles are update, current, or neither.
	Roles []string `json:"roles,omitempty"`
	// Pods counts the claimed pods that carry it.
	Pods int `json:"pods"`
	Ruling
}

// Reason answers a question that readers ask of a rollout.
type Reason struct {
	// Question is without the "why": "2 AT ONCE".
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
		if b := d.Updates[i].Budget; b != nil {
			f(b)
		}
	}
	for _, r := range d.MoreRankings {
		r.eachRuling(f)
	}
	for i := range d.Limits {
		f(&d.Limits[i])
	}
}
