package template

import "testing"

// TestCanonicalTellsCasesApart: a field whose name is written in another case is none, as for
// the API server.
func TestCanonicalTellsCasesApart(t *testing.T) {
	of := func(field string) Template {
		return Canonical(map[string]any{"spec": map[string]any{"containers": []any{map[string]any{"name": "a", field: "Always"}}}})
	}
	if !of("imagePullpolicy").Same(of("unknown")) {
		t.Error("imagePullpolicy is read as imagePullPolicy")
	}
	if of("imagePullPolicy").Same(of("unknown")) {
		t.Error("imagePullPolicy is not read")
	}
}
