package manager

import (
	"reflect"
	"slices"
	"strings"
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
	slices.SortFunc(rows, func(a, b Row) int {
		if by := strings.Compare(a.Name, b.Name); by != 0 {
			return by
		}
		return a.Since - b.Since
	})
	return rows
}
