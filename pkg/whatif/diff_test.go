package whatif

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestDiff: an item of a list is named by its name where items come or go, and by its
// position where the names are the same.
func TestDiff(t *testing.T) {
	for name, c := range map[string]struct {
		before, after string
		want          []string
	}{
		"the same names":  {`{"c":[{"name":"a","i":1},{"name":"b"}]}`, `{"c":[{"name":"a","i":2},{"name":"b"}]}`, []string{"c[0].i: 1 → 2"}},
		"one more":        {`{"c":[{"name":"a","i":1}]}`, `{"c":[{"name":"0b"},{"name":"a","i":2}]}`, []string{`c[0b]: unset → {"name":"0b"}`, "c[a].i: 1 → 2"}},
		"one less":        {`{"c":[{"name":"a"},{"name":"b","l":[{"name":"x"}]}]}`, `{"c":[{"name":"b"}]}`, []string{`c[a]: {"name":"a"} → unset`, `c[b].l: [{"name":"x"}] → unset`}},
		"one for another": {`{"c":[{"name":"a"},{"name":"b"}]}`, `{"c":[{"name":"a"},{"name":"d"}]}`, []string{`c[b]: {"name":"b"} → unset`, `c[d]: unset → {"name":"d"}`}},
		"another order":   {`{"c":[{"name":"a","i":1},{"name":"b"}]}`, `{"c":[{"name":"b"},{"name":"a","i":2}]}`, []string{`c: ["a","b"] → ["b","a"]`, "c[a].i: 1 → 2"}},
		"all of them":     {`{"c":[{"name":"a"}]}`, `{"c":[]}`, []string{`c: [{"name":"a"}] → []`}},
		"a name twice":    {`{"c":[{"name":"a"},{"name":"a"}]}`, `{"c":[{"name":"a"}]}`, []string{`c: [{"name":"a"},{"name":"a"}] → [{"name":"a"}]`}},
		"names of digits": {`{"c":[{"name":"1"}]}`, `{"c":[{"name":"1"},{"name":"2"}]}`, []string{`c: [{"name":"1"}] → [{"name":"1"},{"name":"2"}]`}},
		"another type":    {`{"c":1,"d":"1","e":true}`, `{"c":"1","d":1,"e":"true","f":"unset"}`, []string{`c: 1 → "1"`, `d: "1" → 1`, `e: true → "true"`, `f: unset → "unset"`}},
		"no names":        {`{"c":[{"p":1},{"p":2}]}`, `{"c":[{"p":1}]}`, []string{`c: [{"p":1},{"p":2}] → [{"p":1}]`}},
	} {
		t.Run(name, func(t *testing.T) {
			changes, err := diff(decision.Ref{}, []byte(c.before), []byte(c.after))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, change := range changes {
				got = append(got, change.Path+": "+change.From+" → "+change.To)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestTouched: a change of a named item touches its list, and what is in it.
func TestTouched(t *testing.T) {
	for changed, want := range map[string]bool{
		"spec.c[0].image": true, "spec.c[1].image": false, "spec.c[log]": true, "spec.c[2nd].image": true, "spec.c": true, "spec.c[1].env[A]": false, "spec.d[log]": false,
	} {
		v := Validation{changes: []decision.Change{{Path: changed}}}
		if got := v.touched("spec.c[0].image"); got != want {
			t.Errorf("%s: touched %t", changed, got)
		}
	}
}

// TestSizes: the numbers of spec.replicas are kept as numbers; where it is not set, it is 1.
func TestSizes(t *testing.T) {
	for name, c := range map[string]struct {
		before, after string
		want          *decision.Sizes
	}{
		"down":     {`{"spec":{"replicas":12}}`, `{"spec":{"replicas":9}}`, &decision.Sizes{From: 12, To: 9}},
		"from 1":   {`{"spec":{"paused":true}}`, `{"spec":{"paused":true,"replicas":5}}`, &decision.Sizes{From: 1, To: 5}},
		"to 1":     {`{"spec":{"replicas":5}}`, `{"spec":{}}`, &decision.Sizes{From: 5, To: 1}},
		"a text":   {`{"spec":{"replicas":"5"}}`, `{"spec":{"replicas":4}}`, nil},
		"of other": {`{"spec":{"ordinal":5}}`, `{"spec":{"ordinal":4}}`, nil},
	} {
		changes, err := diff(decision.Ref{}, []byte(c.before), []byte(c.after))
		if err != nil || len(changes) != 1 {
			t.Fatalf("%s: %v, %v", name, changes, err)
		}
		if diff := cmp.Diff(c.want, changes[0].Sizes); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
