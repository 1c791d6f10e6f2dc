package decision

import "slices"

// Contested reports whether it is an adoption that another controller may make
// first.
func (a *Action) Contested() bool { return a.Verb == Adopt && a.Certainty == Possible }

// Contested reports whether any of the actions is.
//
//go:noinline // it is called at many places
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

// MarkPossibleVersions sorts the objects whose new version is expected: those of which only
// one of several is written share the rest.
func (d *Decision) MarkPossibleVersions() {
	after := d.Expectations.After
	if after == nil {
		return
	}
	shares, written := map[string]*Action{}, map[string]bool{}
	for i := range d.Actions {
		a := &d.Actions[i]
		if _, shared := a.Pool(); shared {
			shares[a.Object.Name] = a
		} else {
			written[a.Object.Name] = true
		}
	}
	var certain []string
	most := map[Pool]int{}
	for _, name := range after.Versions {
		a := shares[name]
		if a == nil || written[name] {
			certain = append(certain, name)
			continue
		}
		after.PossibleVersions = append(after.PossibleVersions, name)
		pool, _ := a.Pool()
		most[pool] = min(most[pool]+1, a.Choice.K)
	}
	after.Versions, after.NewVersions = certain, int64(len(certain))
	for _, n := range most {
		after.NewVersions += int64(n)
	}
}
