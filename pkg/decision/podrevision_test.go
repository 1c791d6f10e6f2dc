package decision_test

import (
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestRevisionOf: labels name a ControllerRevision in full, as a StatefulSet's do, or by
// its hash, as a CloneSet's may.
func TestRevisionOf(t *testing.T) {
	d := &decision.Decision{Revisions: []decision.Revision{
		{Name: "web-abc", Roles: []string{"current"}}, {Name: "web-c"}, {Name: "web-new", Roles: []string{"update"}},
	}}
	for label, want := range map[string]string{"web-abc": "web-abc", "abc": "web-abc", "c": "web-c", "bc": "", "": "", "web-new": "web-new", "gone": ""} {
		of := d.RevisionOf(label)
		switch {
		case want == "" && of != nil:
			t.Errorf("%q: %v, want none", label, of)
		case want != "" && (of == nil || of.Name != want || of.Update != "web-new"):
			t.Errorf("%q: %v, want %s of web-new", label, of, want)
		}
	}
	if of := (&decision.Decision{Revisions: d.Revisions[:2]}).RevisionOf("abc"); of != nil {
		t.Errorf("without an update revision: %v", of)
	}
}
