package reconcile

import (
	"maps"
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// Record is what the simulated controller expects to see after this sync.
type Record struct {
	creates  int
	claims   int
	deletes  []string
	possible []string
	// shares counts the possible ones of each choice.
	shares   map[*decision.Choice]int
	versions map[string]bool
	// dropped: creations and deletions are expected for the timeout at most.
	dropped bool
}

// Perhaps records the deletion of an object that chance decides.
func (r *Record) Perhaps(key string, share *decision.Choice) {
	if r.shares == nil {
		r.shares = map[*decision.Choice]int{}
	}
	r.possible = append(r.possible, key)
	r.shares[share]++
}

// most is how many of the possible deletions there are at most, where all pods of
// a choice have as many claims.
func (r *Record) most() int {
	n := 0
	for share, possible := range r.shares {
		each := (possible + share.N - 1) / share.N
		n += min(possible, share.K*each)
	}
	return n
}

// Version records that a Pod was written, whose new version is to be seen.
func (r *Record) Version(name string) {
	if r.versions == nil {
		r.versions = map[string]bool{}
	}
	r.versions[name] = true
}

// Show returns the record as printed, nil for an empty one.
func (r *Record) Show() *decision.Expectation {
	if r.creates+r.claims+len(r.deletes)+len(r.possible)+len(r.versions) == 0 {
		return nil
	}
	e := &decision.Expectation{
		Adds: int64(r.creates + r.claims), Dels: int64(len(r.deletes) + r.most()),
		DeleteKeys: r.deletes, PossibleKeys: r.possible,
		Versions: slices.Sorted(maps.Keys(r.versions)),
		Forever:  true,
	}
	if r.dropped && len(r.versions) == 0 {
		e.Forever, e.ExpiresIn = false, new(decision.Span(Timeout))
	}
	return e
}

// Create records so many Pods and volume claims.
func (r *Record) Create(pods, claims int) { r.creates, r.claims = pods, claims }

// Delete records the deletion of an object.
func (r *Record) Delete(key string) { r.deletes = append(r.deletes, key) }
