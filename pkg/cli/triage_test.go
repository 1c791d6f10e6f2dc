package cli

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"
)

// TestRooted: an object is in the row of its controller, and none is in nobody's row.
func TestRooted(t *testing.T) {
	for chains, want := range map[string]string{
		"web:":                        "web",
		"web-1:web web:":              "web",
		"web-1:web":                   "web-1",
		"a:b b:c c:":                  "c",
		"c: b:c a:b":                  "c",
		"a:a":                         "a",
		"a:b b:a":                     "a b",
		"a:b b:c c:b":                 "a b c",
		"b:c a:b c:b web-1:web web:x": "b a c web",
	} {
		owner := map[types.UID]types.UID{}
		var order []types.UID
		for pair := range strings.FieldsSeq(chains) {
			uid, up, _ := strings.Cut(pair, ":")
			owner[types.UID(uid)] = types.UID(up)
			order = append(order, types.UID(uid))
		}
		for range 2 { // asked again, it answers the same
			var got []string
			inRow := rooted(owner)
			for _, uid := range order {
				if !inRow(owner[uid]) {
					got = append(got, string(uid))
				}
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s: %s, want %s", chains, strings.Join(got, " "), want)
			}
		}
	}
}
