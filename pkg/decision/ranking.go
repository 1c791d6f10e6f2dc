package decision

import "time"

// Fate is what becomes of an object or a Pod.
type Fate string

// The fates.
const (
	// Doomed: it is deleted, whatever order the controller sees.
	Doomed Fate = "certain"
	// AtRisk: it is one of several of which some are deleted.
	AtRisk Fate = "possible"
	// Safe: it is not deleted.
	Safe Fate = "safe"
)

// Ranking is the order in which the controller prefers objects for deletion.
type Ranking struct {
	// Among names the group that is ranked, where there are several.
	Among string `json:"among,omitempty"`
	// Cut is how many objects are deleted.
	Cut int `json:"cut"`
	// Criteria are the columns, in the comparator's order.
	Criteria []Criterion `json:"criteria"`
	// Rows are the objects, those that are deleted first at the top.
	Rows []Ranked `json:"rows"`
	// Undetermined says why there is no order among those that may be deleted; absent where
	// there is one.
	Undetermined *Ruling `json:"undetermined,omitempty"`
	// HoldsUntil is until when Pods growing older alone changes nothing; absent where ages
	// do not count, or for more than an hour.
	HoldsUntil *time.Time `json:"validUntil,omitempty"`
}

// Criterion is one step of the comparison by which a controller sorts.
type Criterion struct {
	// Rule is the rule of the criterion.
	Rule string `json:"rule"`
	// Column is its heading in a table.
	Column string `json:"column"`
}

// Ranked is one object with its value under each criterion.
type Ranked struct {
	// Object is the object.
	Object Ref `json:"object"`
	// Node is the node of a Pod; absent while it has none.
	Node string `json:"node,omitempty"`
	// Fate is what becomes of it.
	Fate Fate `json:"deletion"`
	// Later is what later syncs make of it without any change, where one sync does not delete
	// as many as are too many; absent where they do not delete it.
	Later Fate `json:"later,omitempty"`
	// Block numbers the groups whose inner order is not deterministic; a block of one object
	// is in its place for certain.
	Block int `json:"block"`
	// Values are its values under each criterion.
	Values []string `json:"values"`
	// DecidedBy compares the object with its neighbour on the other side of the cut.
	DecidedBy *Comparison `json:"decidedBy,omitempty"`
}

// Lasts says what later syncs make of the object, nothing where they do not delete it.
func (r *Ranked) Lasts(later Fate) { r.Later = later }

// End is what becomes of the object once later syncs are done as well.
func (r *Ranked) End() Fate {
	if r.Later != "" {
		return r.Later
	}
	return r.Fate
}

// Comparison is the criterion that tells two objects apart.
type Comparison struct {
	// Versus is the neighbour.
	Versus Ref `json:"versus"`
	Ruling
}

func (r *Ranking) eachRuling(f func(*Ruling)) {
	if r == nil {
		return
	}
	if r.Undetermined != nil {
		f(r.Undetermined)
	}
	for i := range r.Rows {
		if d := r.Rows[i].DecidedBy; d != nil {
			f(&d.Ruling)
		}
	}
}

// HoldsUntil is until when Pods growing older alone changes neither what the sync deletes
// nor what the syncs that follow it delete; nil where ages do not decide, or nothing
// changes within an hour.
func (d *Decision) HoldsUntil() *time.Time {
	rankings := []*Ranking{d.Ranking}
	for i := range d.Follows {
		rankings = append(rankings, d.Follows[i].Ranking)
	}
	var first *time.Time
	for _, r := range rankings {
		if r != nil && r.HoldsUntil != nil && (first == nil || r.HoldsUntil.Before(*first)) {
			first = r.HoldsUntil
		}
	}
	return first
}
