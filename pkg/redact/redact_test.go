package redact

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// few are values of which some look like what stands for others.
var few = []string{"", "a", "b", "redacted-1", "redacted-2", `{"a":1}`, `{"a":2}`, "a b", " ", "--keep=a", "--keep=b", "--next", "-", "a\n", "--next x --other y"}

// holding are objects with a value in each sort of place.
func holding(value string) map[string]map[string]any {
	env := func(name string) map[string]any {
		return map[string]any{"env": []any{map[string]any{"name": name, "value": value}}}
	}
	return map[string]map[string]any{
		"env": env("A"), "kept env": env("KEPT"),
		"annotation": {"annotations": map[string]any{"x": value}}, "kept annotation": {"annotations": map[string]any{"state": value}},
		"args": {"args": []any{value}}, "command": {"command": []any{"run", value}},
		"header": {"httpHeaders": []any{map[string]any{"name": "A", "value": value}}},
		"volume": {"volumeAttributes": map[string]any{"A": value}},
	}
}

// A decision compares templates: those that are equal stay equal, and others
// different.
func TestEqualityStays(t *testing.T) {
	for _, one := range few {
		for _, other := range few {
			for place := range holding("") {
				r := New(Keep{Annotations: []string{"state"}, Env: []string{"KEPT"}, Flag: keepFlag})
				a, b := holding(one)[place], holding(other)[place]
				r.Object(a)
				r.Object(b)
				if cmp.Equal(a, b) != (one == other) {
					t.Errorf("%s: %q and %q become %v and %v", place, one, other, a, b)
				}
			}
		}
	}
}

func keepFlag(word string) (bool, bool) {
	return strings.HasPrefix(word, "--keep=") || word == "--next", word == "--next"
}

func TestNumbers(t *testing.T) {
	r := New(Keep{})
	var got []string
	for _, value := range []string{"old", "new", "old", ""} {
		for _, name := range []string{"A", "B"} {
			env := map[string]any{"name": name, "value": value}
			r.Object(map[string]any{"env": []any{env}})
			got = append(got, env["value"].(string))
		}
	}
	want := []string{"redacted-1", "redacted-1", "redacted-2", "redacted-2", "redacted-1", "redacted-1", "", ""}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Flags that decisions read stay, alone or in a shell's command line.
func TestFlagsStay(t *testing.T) {
	for _, c := range []struct{ before, after string }{
		{"--keep=a", "--keep=a"},
		{"--password=x", "redacted-1"},
		{"--next|value|--other|value", "--next|value|redacted-1|redacted-2"},
		{"--next|--token=x", "--next|redacted-1"},
		{"sh|-c|exec server --keep=a --token=x --next y", "redacted-1|redacted-2|redacted-3 --keep=a --next y"},
		{"--keep=a, b|--next|c, d", "--keep=a, b|--next|c, d"},
		{"--keep=a --token=x", "redacted-1 --keep=a"},
		{"|--keep=a", "|--keep=a"},
	} {
		var args []any
		for arg := range strings.SplitSeq(c.before, "|") {
			args = append(args, arg)
		}
		New(Keep{Flag: keepFlag}).Object(map[string]any{"args": args})
		var got []string
		for _, arg := range args {
			got = append(got, arg.(string))
		}
		if after := strings.Join(got, "|"); after != c.after {
			t.Errorf("%s becomes %s, want %s", c.before, after, c.after)
		}
	}
}
