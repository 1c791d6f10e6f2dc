package cli

import (
	"slices"
	"strings"
)

// nearest picks up to three names that a user may have meant: those that hold
// the name, or differ from it in a few letters. Case does not matter.
func nearest(name string, names []string) []string {
	type scored struct {
		name string
		cost int
	}
	var near []scored
	for _, n := range names {
		if cost := apart(strings.ToLower(name), strings.ToLower(n)); cost <= max(2, len(name)/3) {
			near = append(near, scored{n, cost})
		}
	}
	slices.SortFunc(near, func(a, b scored) int {
		if a.cost != b.cost {
			return a.cost - b.cost
		}
		return strings.Compare(a.name, b.name)
	})
	var out []string
	for _, n := range near[:min(3, len(near))] {
		out = append(out, n.name)
	}
	return out
}

// apart is how far a name is from what was typed.
func apart(typed, name string) int {
	cost := distance(typed, name)
	if strings.Contains(name, typed) {
		return min(cost, 1)
	}
	return cost
}

// distance is the number of letters to insert, delete or replace (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			substitute := diagonal
			if a[i-1] != b[j-1] {
				substitute++
			}
			diagonal = row[j]
			row[j] = min(substitute, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

func join(names []string) string { return strings.Join(names, ", ") }
