package decision

import "time"

// Fate is what the ranking says of one object.
type Fate string

// Doomed objects go in every order the controller may see, Safe ones in none;
// At risk ones share an undetermined number of places before the cut.
const (
	Doomed Fate = "certain"
	AtRisk Fate = "possible"
	Safe   Fate = "safe"
)

// Ranking is the order in which the controller prefers objects for deletion.
type Ranking struct {
	// Among names the group that is ranked, where there are several.
	Among string `json:"among,omitempty"`
	// Cut is how many objects go.
	Cut int `json:"cut"`
	// Criteria are the columns, in the comparator's order.
	Criteria []Criterion `json:"criteria"`
	Rows     []Ranked    `json:"rows"`
	// Undetermined explains why the at-risk group has no order; nil when there is none.
	Undetermined *Ruling `json:"undetermined,omitempty"`
	// HoldsUntil is until when pods growing older alone changes no fate; nil
	// when ages are not compared in buckets or none ends within the hour.
	HoldsUntil *time.Time `json:"holdsUntil,omitempty"`
}

// Criterion is one step of the comparator.
type Criterion struct {
	Rule   string `json:"rule"`
	Column string `json:"column"`
}

// Ranked is one object with its value under each criterion.
type Ranked struct {
	Object Ref  `json:"object"`
	Fate   Fate `json:"fate"`
	// Block numbers the groups whose inner order chance decides; a block of
	// one object is in its place for certain.
	Block  int      `json:"block"`
	Values []string `json:"values"`
	// DecidedBy compares the object with its neighbour across the cut.
	DecidedBy *Comparison `json:"decidedBy,omitempty"`
}

// Comparison is the criterion that told two objects apart.
type Comparison struct {
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
