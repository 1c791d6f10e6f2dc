package deployment

import (
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func setWith(annotations map[string]string) *appsv1.ReplicaSet {
	return &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Name: "web-a", Annotations: annotations}}
}

// TestHistoryLength holds the limit of the revision history from both sides:
// what fits in 2000 characters stays, and beyond that the oldest entries go
// until the new one fits.
func TestHistoryLength(t *testing.T) {
	for name, c := range map[string]struct{ history, revision, want string }{
		"the first":            {"", "7", "7"},
		"another":              {"7", "8", "7,8"},
		"2000 fit":             {"1," + strings.Repeat("x", 1996), "9", "1," + strings.Repeat("x", 1996) + ",9"},
		"2001 drop the oldest": {"1," + strings.Repeat("x", 1997), "9", strings.Repeat("x", 1997) + ",9"},
		"as many as it takes":  {"1,2,3," + strings.Repeat("x", 1994), "10", "3," + strings.Repeat("x", 1994) + ",10"},
		"all are too long":     {strings.Repeat("x", 2001), "9", "9"},
	} {
		rs := setWith(map[string]string{historyKey: c.history})
		remember(rs, c.revision)
		if got := rs.Annotations[historyKey]; got != c.want {
			t.Errorf("%s: %d characters, begins %.10q and ends %q, want %d, %.10q", name, len(got), got, got[max(0, len(got)-4):], len(c.want), c.want)
		}
	}
}

// TestSize: since 1.32 sizes are read as numbers from 0 to 2147483647; before,
// as any integer, cut to 32 bits.
func TestSize(t *testing.T) {
	for _, c := range []struct {
		text      string
		strict    int32
		isStrict  bool
		lenient   int32
		isLenient bool
	}{
		{"4", 4, true, 4, true},
		{"0", 0, true, 0, true},
		{"-1", 0, false, -1, true},
		{"+4", 0, false, 4, true},
		{"2147483647", 2147483647, true, 2147483647, true},
		{"2147483648", 0, false, -2147483648, true},
		{"four", 0, false, 0, false},
		{"", 0, false, 0, false},
	} {
		rs := setWith(map[string]string{desiredKey: c.text})
		if n, ok := (behaviour{strictSizes: true}).size(rs, desiredKey); ok != c.isStrict || ok && n != c.strict {
			t.Errorf("%q since 1.32: %d, %v, want %d, %v", c.text, n, ok, c.strict, c.isStrict)
		}
		if n, ok := (behaviour{}).size(rs, desiredKey); ok != c.isLenient || ok && n != c.lenient {
			t.Errorf("%q before 1.32: %d, %v, want %d, %v", c.text, n, ok, c.lenient, c.isLenient)
		}
	}
}
