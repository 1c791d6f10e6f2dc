package decision

import "slices"

// Contested reports whether it is an adoption that another controller may make
// first.
func (a *Action) Contested() bool { return a.Verb == Adopt && a.Certainty == Possible }

// Contested reports whether any of the actions is.
func (d *Decision) Contested() bool {
	return slices.ContainsFunc(d.Actions, func(a Action) bool { return a.Contested() })
}

// MarkPossibleKeys sorts the keys of the deletions that are expected: those of
// deletions that are only possible share the rest.
func (d *Decision) MarkPossibleKeys() {
	after := d.Expectations.After
	if after == nil {
		return
	}
	possible := map[string]bool{}
	for _, a := range d.Actions {
		if a.Verb == Delete && a.Certainty == Possible {
			possible[keyOf(a.Object)] = true
		}
	}
	var certain []string
	for _, key := range after.DeleteKeys {
		if possible[key] {
			after.PossibleKeys = append(after.PossibleKeys, key)
		} else {
			certain = append(certain, key)
		}
	}
	after.DeleteKeys = certain
}
