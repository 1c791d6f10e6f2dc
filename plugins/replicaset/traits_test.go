package replicaset

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestPlaceUIDs: as many UIDs are lower as were found to be, whatever they begin with.
func TestPlaceUIDs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		uid := rapid.OneOf(rapid.StringMatching(`(uid-)?[a-c0-9]{0,9}`), rapid.Just("\xff\xff\xff\xff\xff\xff"))
		items := make([]traits, rapid.IntRange(0, 40).Draw(t, "n"))
		var sorted []string
		for i := range items {
			items[i].shown = &shown{}
			items[i].ref.UID = uid.Draw(t, "uid")
			sorted = append(sorted, items[i].ref.UID)
		}
		slices.SortFunc(sorted, strings.Compare)
		placeUIDs(items)
		for _, item := range items {
			if want := slices.Index(sorted, item.ref.UID); item.uid != want {
				t.Fatalf("%q is at %d of %q, want %d", item.ref.UID, item.uid, sorted, want)
			}
		}
	})
}
