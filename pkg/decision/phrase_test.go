package decision

import (
	"slices"
	"testing"
)

// TestPhraseOnce: neighbours of one rule and the same facts share a sentence, and
// no others do.
func TestPhraseOnce(t *testing.T) {
	said := 0
	line := func(what string) func(Facts) string {
		return func(fs Facts) string {
			said++
			return what + " " + fs.Str("by")
		}
	}
	rules := Catalogue{{ID: "A", Line: line("a")}, {ID: "B", Line: line("b")}}
	one, two := Ruled("A", F("by", 1)), Ruled("A", F("by", 2))
	other := Ruling{Rule: "B", Facts: two.Facts}
	d := &Decision{}
	for _, r := range []Ruling{one, one, one, two, two, other, Ruled("B"), Ruled("B")} {
		d.Claims = append(d.Claims, Claim{Ruling: r})
	}
	rules.Phrase(d)
	var got []string
	for _, c := range d.Claims {
		got = append(got, c.Message)
	}
	if want := []string{"a 1", "a 1", "a 1", "a 2", "a 2", "b 2", "b ", "b "}; !slices.Equal(got, want) {
		t.Errorf("said %q, want %q", got, want)
	}
	if said != 4 {
		t.Errorf("made %d sentences, want 4", said)
	}
}
