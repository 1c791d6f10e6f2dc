package golden

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// carried finds out which facts the rulings of each rule have, and which of them its
// sentence reads.
type carried struct {
	rules decision.Catalogue
	// always are the facts that all rulings of a rule had so far, read those that its
	// sentence was seen to depend on.
	always, read map[string]map[decision.Key]bool
}

func carriedBy(rules decision.Catalogue) carried {
	return carried{rules, map[string]map[decision.Key]bool{}, map[string]map[decision.Key]bool{}}
}

// note looks at a ruling.
func (c carried) note(r *decision.Ruling) {
	if _, known := c.rules.Find(r.Rule); !known {
		return
	}
	names := map[decision.Key]bool{}
	factNames(r.Facts, names)
	if all, seen := c.always[r.Rule]; seen {
		maps.DeleteFunc(all, func(k decision.Key, _ bool) bool { return !names[k] })
	} else {
		c.always[r.Rule], c.read[r.Rule] = maps.Clone(names), map[decision.Key]bool{}
	}
	said := c.rules.Say(r.Rule, r.Facts)
	for k := range names {
		if !c.read[r.Rule][k] && (c.rules.Say(r.Rule, changed(r.Facts, k)) != said || c.rules.Say(r.Rule, without(r.Facts, k)) != said) {
			c.read[r.Rule][k] = true
		}
	}
}

// check holds what rules declare to what was seen.
func (c carried) check(t *testing.T) {
	t.Helper()
	for _, r := range c.rules {
		always, seen := c.always[r.ID]
		if !seen {
			continue
		}
		for _, k := range r.Keys {
			if !always[k] {
				t.Errorf("rule %s declares the fact %q, which a ruling lacks", r.ID, k)
			}
		}
		for _, k := range slices.Sorted(maps.Keys(always)) {
			if c.read[r.ID][k] && !slices.Contains(r.Keys, k) {
				t.Errorf("rule %s reads the fact %q of every ruling: declare it in Keys", r.ID, k)
			}
		}
	}
}

func factNames(fs decision.Facts, into map[decision.Key]bool) {
	for _, f := range fs {
		into[decision.Key(f.Name)] = true
		factNames(f.Of, into)
	}
}

// without are facts without those of a name.
func without(fs decision.Facts, k decision.Key) decision.Facts {
	var out decision.Facts
	for _, f := range fs {
		if f.Name != string(k) {
			f.Of = without(f.Of, k)
			out = append(out, f)
		}
	}
	return out
}

// changed are facts of which those of a name have another value.
func changed(fs decision.Facts, k decision.Key) decision.Facts {
	out := slices.Clone(fs)
	for i := range out {
		out[i].Of = changed(out[i].Of, k)
		if out[i].Name != string(k) {
			continue
		}
		switch v := out[i].Value.(type) {
		case int64:
			out[i].Value = v + 1001
		case bool:
			out[i].Value = !v
		default:
			out[i].Value = fmt.Sprintf("another than %v", v)
		}
	}
	return out
}
