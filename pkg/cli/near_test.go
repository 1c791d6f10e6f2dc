package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNearest(t *testing.T) {
	names := []string{"web-7b46c4b544", "web-59d9b7f6c", "mail", "NotReadyFirst"}
	for name, want := range map[string][]string{
		"web":            {"web-59d9b7f6c", "web-7b46c4b544"},
		"web-7b46c4b554": {"web-7b46c4b544"},
		"mial":           {"mail"},
		"MAIL":           {"mail"},
		"notredyfirst":   {"NotReadyFirst"},
		"database":       nil,
	} {
		if diff := cmp.Diff(want, nearest(name, names)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

func TestNearestOffersThree(t *testing.T) {
	got := nearest("a", []string{"ad", "ac", "ab", "aa"})
	if diff := cmp.Diff([]string{"aa", "ab", "ac"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"kitten", "sitting", 3}, {"web", "web", 0}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: got %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
