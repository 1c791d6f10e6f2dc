package cloneset

import (
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
)

// With its gate, other volume claim templates need new pods, unless updates are
// in place only; hashes that are not there forbid nothing.
func TestClaimsForbid(t *testing.T) {
	hashed := func(hash string) *revision { return &revision{name: "r" + hash, claimHash: hash, hasClaimHash: true} }
	for _, tt := range []struct {
		name     string
		gate     bool
		kind     string
		from, to *revision
		want     bool
	}{
		{"others", true, api.InPlaceIfPossible, hashed("1"), hashed("2"), true},
		{"the same", true, api.InPlaceIfPossible, hashed("1"), hashed("1"), false},
		{"without the gate", false, api.InPlaceIfPossible, hashed("1"), hashed("2"), false},
		{"in place only", true, api.InPlaceOnly, hashed("1"), hashed("2"), false},
		{"none noted before", true, api.InPlaceIfPossible, &revision{}, hashed("2"), false},
		{"none noted after", true, api.InPlaceIfPossible, hashed("1"), &revision{}, false},
		{"no claims before", true, api.InPlaceIfPossible, hashed(""), hashed("2"), true},
	} {
		s := &sync{set: &api.Set{}, behaviour: core.Behaviour{RecreateOnClaims: tt.gate}}
		s.set.Spec.UpdateStrategy.Type = tt.kind
		if got := s.claimsForbid(tt.from, tt.to); got != tt.want {
			t.Errorf("%s: %t, want %t", tt.name, got, tt.want)
		}
	}
}
