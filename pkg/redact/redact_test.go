package redact

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// values are drawn from few, so that equal ones are common. Some look like what
// stands for others.
func drawn() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"", "a", "b", "redacted-1", "redacted-2", `{"a":1}`, `{"a":2}`, "a b", " ", "--keep=a", "--keep=b", "--next", "-", "a\n", "--next x --other y"})
}

func drawObject(t *rapid.T, label string) map[string]any {
	list := func(name string) []any {
		var out []any
		for _, s := range rapid.SliceOfN(drawn(), 0, 3).Draw(t, label+name) {
			out = append(out, s)
		}
		return out
	}
	var env []any
	for _, name := range []string{"A", "B", "KEPT"} {
		env = append(env, map[string]any{"name": name, "value": drawn().Draw(t, label+name)})
	}
	return map[string]any{
		"metadata":  map[string]any{"annotations": map[string]any{"x": drawn().Draw(t, label+"x"), "state": drawn().Draw(t, label+"state")}},
		"container": map[string]any{"env": env, "args": list("args"), "command": list("command")},
	}
}

// A decision compares templates: those that are equal stay equal, and others
// different.
func TestEqualityStays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := New(Keep{Annotations: []string{"state"}, Env: []string{"KEPT"}, Flag: keepFlag})
		a, b := drawObject(t, "a"), drawObject(t, "b")
		was := cmp.Equal(a, b)
		r.Object(a)
		r.Object(b)
		if cmp.Equal(a, b) != was {
			t.Errorf("equal before: %v, after: %v\n%v\n%v", was, !was, a, b)
		}
	})
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
		{"|--keep=a", "|--keep=a"},
	} {
		var args []any
		for _, arg := range strings.Split(c.before, "|") {
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
