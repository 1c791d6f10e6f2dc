package decision

import "testing"

// TestPartial: both first lines of a partial answer say so, once.
func TestPartial(t *testing.T) {
	d := &Decision{Answer: "web waits.", Standing: Standing{Headline: "web in shop: stable."}}
	d.AddUnread("NotRead", "pods were not read")
	d.AddUnread("NotRead", "quotas were not read")
	if d.Answer != "web waits. (partial answer)" || d.Headline != "web in shop: stable. (partial answer)" {
		t.Errorf("got %q and %q", d.Answer, d.Headline)
	}
}
