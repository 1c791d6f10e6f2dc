package revision

import (
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
)

// With its gate, other volume claim templates need new pods, unless updates are
// in place only; hashes that are not there forbid nothing.
func TestClaimsForbid(t *testing.T) {
	hashed := func(hash string) *Revision { return &Revision{Name: "r" + hash, claimHash: hash, hasClaimHash: true} }
	for _, tt := range []struct {
		name     string
		gate     bool
		kind     string
		from, to *Revision
		want     bool
	}{
		{"others", true, api.InPlaceIfPossible, hashed("1"), hashed("2"), true},
		{"the same", true, api.InPlaceIfPossible, hashed("1"), hashed("1"), false},
		{"without the gate", false, api.InPlaceIfPossible, hashed("1"), hashed("2"), false},
		{"in place only", true, api.InPlaceOnly, hashed("1"), hashed("2"), false},
		{"none noted before", true, api.InPlaceIfPossible, &Revision{}, hashed("2"), false},
		{"none noted after", true, api.InPlaceIfPossible, hashed("1"), &Revision{}, false},
		{"no claims before", true, api.InPlaceIfPossible, hashed(""), hashed("2"), true},
	} {
		set := &api.Set{}
		set.Spec.UpdateStrategy.Type = tt.kind
		c := NewChanges(core.Behaviour{RecreateOnClaims: tt.gate}, set)
		tt.from.Template.Fields, tt.to.Template.Fields = map[string]any{}, map[string]any{}
		if got := c.Between(tt.from, tt.to).Forbidden == "volumeClaimTemplates"; got != tt.want {
			t.Errorf("%s: %t, want %t", tt.name, got, tt.want)
		}
	}
}

// TestRollBackNotesClaims: the hash that a revision gets when the set goes back to it counts
// for the Pods that are of it as well.
func TestRollBackNotesClaims(t *testing.T) {
	older, newer := &Revision{Name: "older"}, &Revision{Name: "newer", claimHash: "2", hasClaimHash: true}
	older.Template.Fields, newer.Template.Fields = map[string]any{}, map[string]any{}
	back := *older
	h := History{listed: []*Revision{older, newer}, Update: &back, Current: newer}
	h.noteClaims("1")
	c := NewChanges(core.Behaviour{RecreateOnClaims: true}, &api.Set{})
	if c.Between(h.listed[0], h.Current).Forbidden != "volumeClaimTemplates" || h.Update.claimHash != "1" {
		t.Error("the hash is noted on the update revision alone")
	}
}
