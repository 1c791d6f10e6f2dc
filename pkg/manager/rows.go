package manager

import (
	"reflect"
	"slices"
	"sort"
)

// Extended returns rows with the controllers of the minor that follows them. One that
// is as in the minor before has one row for both.
func Extended(rows []Row, minor int, controllers []Controller) []Row {
	for _, c := range controllers {
		i := slices.IndexFunc(rows, func(r Row) bool { return r.Until == minor-1 && reflect.DeepEqual(r.Controller, c) })
		if i < 0 {
			rows = append(rows, Row{minor, minor, c})
			continue
		}
		rows[i].Until = minor
	}
	sort.Slice(rows, func(i, j int) bool {
		a, b := &rows[i], &rows[j]
		return a.Name < b.Name || a.Name == b.Name && a.Since < b.Since
	})
	return rows
}

// ExtendedImplied returns what gates did to others up to the minor before with what they do
// in this one, as Extended does. The order of a minor stays.
func ExtendedImplied(all []Implied, minor int, these []Implied) []Implied {
	same := slices.EqualFunc(slices.DeleteFunc(slices.Clone(all), func(i Implied) bool { return i.Until != minor-1 }), these, func(a, b Implied) bool {
		b.Since, b.Until = a.Since, a.Until
		return reflect.DeepEqual(a, b)
	})
	if same {
		for n := range all {
			if all[n].Until == minor-1 {
				all[n].Until = minor
			}
		}
		return all
	}
	for _, i := range these {
		i.Since, i.Until = minor, minor
		all = append(all, i)
	}
	return all
}
