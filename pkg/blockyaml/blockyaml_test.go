package blockyaml

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	yaml "go.yaml.in/yaml/v2"
	"pgregory.net/rapid"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/sanitize"
)

// hostile are strings that YAML reads as something else, or that need a style.
var hostile = []string{
	"", " ", "  ", "\n", "\n\n", "\t", " a", "a ", "\ta", "a\t", "\na", "a\n", "a\n\n", " a\nb", "a\n b", "a\nb ", "a\n\nb\n", "\r", "a\rb", "a\r\nb",
	"y", "Y", "n", "N", "yes", "Yes", "no", "on", "off", "ON", "true", "True", "FALSE", "null", "Null", "~", "nUll", "yEs",
	"0", "1", "-1", "+1", "007", "0o7", "0x1", "0b1", "1_000", "1e3", "1E+3", "1.", ".5", "-.5", ".inf", "-.INF", ".nan", "12:30:45", "1:2", "Infinity", "NaN",
	"2026-11-01", "2026-11-01T10:00:00Z", "2026-13-41T25:61:61Z", "2026-11-01T10:00:00z", "2026-11-01t10:00:00Z", "0e0e0e0e-0000-1111-2222-000000000000", "00000000-0000-0000-0000-000000000000", "12345678-1234-1234-1234-12345678901e", "2001-12-14 21:59:43.10 -5", "=", "<<", "!", "!!str a", "&a", "*a", "|", ">", "|-", "- ", "-", "- a", "?", "? a", ":", ": a", "a:", "a: b", "a :b", "a:b", "a::b",
	"#", "# a", "a #b", "a# b", "a#b", "'", "''", "it's", `"`, `a"b`, `\`, `a\nb`, "%", "%a", "@", "`", "{", "}", "{}", "[", "]", "[]", "a,b", "a, b", "{a: b}", "[a", "a]", "---", "--- a", "...", "a ---", "\n---\nb",
	"ünicode", "日本", "🙂", "\u00a0", "a\u00a0", "\u0085", "a\u2028b", "\ufeff", "a\u200bb", "\u202e", "x\U000e0041", "\x00", "\x1b[2J", "\x7f", "\ufeff" + strings.Repeat("ǅ", 25), "\u009b", "\ufffd", "\ufffe", "/", "/a", "a b", "a  b", "C:", "http://x/y:80", "a=b", "a@b", "sha256:" + strings.Repeat("0", 64),
	strings.Repeat("long words ", 30), strings.Repeat("x", 3000), strings.Repeat("a: ", 100), strings.Repeat("line\n", 50), `{"kind":"Pod","a":["b"]}`, "k:{\"uid\":\"x\"}", "f:metadata", ".", "..", "a.b", "-a", "--flag=x", "$(A)", "100m", "512Mi", "10.0.0.1",
}

func text() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom(hostile), rapid.StringMatching(`[a-z/:. #-]{0,12}`), rapid.String(),
		rapid.Map(rapid.SliceOfN(rapid.SampledFrom(hostile), 2, 4), func(parts []string) string { return strings.Join(parts, "") }))
}

func tree(key *rapid.Generator[string]) *rapid.Generator[any] {
	return nested(key, 4)
}

func nested(key *rapid.Generator[string], depth int) *rapid.Generator[any] {
	scalar := rapid.OneOf(rapid.Map(text(), func(s string) any { return s }),
		rapid.SampledFrom([]any{nil, true, false, int64(0), int64(-7), int64(1) << 62, 0.5, -1e300, 1e21, 3.0e-9}))
	if depth == 0 {
		return scalar
	}
	inner := nested(key, depth-1)
	return rapid.OneOf(scalar,
		rapid.Map(rapid.SliceOfN(inner, 0, 4), func(s []any) any { return s }),
		rapid.Map(rapid.MapOfN(key, inner, 0, 4), func(m map[string]any) any { return m }))
}

func short(s string) bool { return s != "<<" && len(s) <= 60 && !strings.Contains(s, "\n") }

// ordered is a tree whose keys the library leaves in the order of their bytes.
func ordered(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := yaml.MapSlice{}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			out = append(out, yaml.MapItem{Key: k, Value: ordered(v[k])})
		}
		return out
	case []any:
		out := []any{}
		for _, item := range v {
			out = append(out, ordered(item))
		}
		return out
	}
	return v
}

// The layout is the library's, byte for byte, where nothing has to be escaped.
func TestLikeTheLibrary(t *testing.T) {
	e := NewEncoder()
	for _, s := range hostile {
		likeTheLibrary(t, e, s)
		if short(s) {
			likeTheLibrary(t, e, map[string]any{s: s})
		}
	}
	rapid.Check(t, func(t *rapid.T) { likeTheLibrary(t, e, tree(text().Filter(short)).Draw(t, "value")) })
}

func likeTheLibrary(t rapid.TB, e *Encoder, v any) {
	want, err := yaml.Marshal(ordered(v))
	if err != nil || sanitize.Escaped(string(want), "\n") != string(want) || strings.Contains(string(want), "? ") {
		return
	}
	got, err := e.Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%#v: -want +got:\n%s", v, diff)
	}
}

// What was written reads back to the same, whatever it holds, and shows nothing
// that could drive a terminal.
func TestReadsBack(t *testing.T) {
	e := NewEncoder()
	check := func(t rapid.TB, v any) {
		got, err := e.Encode(v)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != sanitize.Escaped(string(got), "\n") {
			t.Errorf("not harmless: %q", got)
		}
		back, err := sigsyaml.YAMLToJSON(got)
		if err != nil {
			t.Fatalf("%v in\n%s", err, got)
		}
		want, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(decoded(t, want), decoded(t, back)); diff != "" {
			t.Errorf("-want +got:\n%s\n%s", diff, got)
		}
	}
	for _, s := range hostile {
		check(t, map[string]any{"a": s, "b": []any{s, []any{s}, map[string]any{s: s, "z": []any{s}}}})
		check(t, map[string]any{strings.Repeat("k", 1030) + s: map[string]any{"x": s}, strings.Repeat("l", 1030) + s: []any{s}, strings.Repeat("m", 1030) + s: s})
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t, map[string]any{"root": tree(text()).Draw(t, "value")})
	})
}

func decoded(t rapid.TB, text []byte) any {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestMarshal(t *testing.T) {
	type inner struct {
		Number json.Number `json:"number"`
	}
	got, err := Marshal(struct {
		Name  string  `json:"name"`
		Items []inner `json:"items"`
		Ratio float64 `json:"ratio"`
	}{"web", []inner{{"12"}, {"18446744073709551615"}, {"1.50"}}, 0.25})
	want := "items:\n- number: 12\n- number: 18446744073709551615\n- number: 1.5\nname: web\nratio: 0.25\n"
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
	if _, err := Marshal(func() {}); err == nil {
		t.Error("a func is no JSON")
	}
	if _, err := NewEncoder().Encode(map[string]any{"a": uint8(1)}); err == nil || err.Error() != "uint8 is no JSON value" {
		t.Error(err)
	}
}
