package ownership

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestAnew: what is made in the place of an owner adopts what that one selected, but for a
// Pod that has ended, and not by a selector with the owner's UID.
func TestAnew(t *testing.T) {
	for _, c := range []struct {
		selector string
		ended    bool
		want     bool
	}{
		{"app=web", false, true}, {"app=web", true, false}, {"app=db", false, false}, {"app in (web, u1)", false, false},
	} {
		of := &Controller{Claimer: *claimer(t, c.selector), ActiveOnly: true}
		of.Deleting = true
		if got := of.Anew(object("web"), func(metav1.Object) bool { return c.ended }); got != c.want || !of.Deleting {
			t.Errorf("%s, ended %t: %t, want %t", c.selector, c.ended, got, c.want)
		}
	}
}
