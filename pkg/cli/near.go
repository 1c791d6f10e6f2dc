package cli

import (
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
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
	sort.Slice(near, func(i, j int) bool {
		if near[i].cost != near[j].cost {
			return near[i].cost < near[j].cost
		}
		return near[i].name < near[j].name
	})
	var out []string
	for _, n := range near[:min(3, len(near))] {
		out = append(out, n.name)
	}
	return out
}

// didYouMean continues an error with the names that may have been meant, empty for
// none.
func didYouMean(name string, names []string) string {
	near := nearest(name, names)
	if len(near) == 0 {
		return ""
	}
	last := len(near) - 1
	if last == 0 {
		return "; did you mean " + near[0] + "?"
	}
	return "; did you mean " + join(near[:last]) + " or " + near[last] + "?"
}

// shortened is how many letters of a kind's name tell which one is meant.
const shortened = 3

// nearestKinds continues an error with the kinds that may have been meant, each by
// the name that is nearest.
func nearestKinds(name string, kinds []view.Kind) string {
	name, _, _ = strings.Cut(strings.ToLower(name), ".")
	var forms []string
	for _, k := range kinds {
		near := nearest(name, append([]string{k.Resource, strings.ToLower(k.Kind)}, k.Short...))
		if len(near) > 0 && (distance(name, near[0]) <= max(1, len(name)/3) || len(name) >= shortened && strings.HasPrefix(near[0], name)) {
			forms = append(forms, near[0])
		}
	}
	return didYouMean(name, forms)
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

//go:noinline // it is called at many places
func join(names []string) string { return strings.Join(names, ", ") }

// unknownFlag adds the flags that may have been meant to the error of one that there
// is not.
func unknownFlag(cmd *cobra.Command, err error) error {
	var absent *pflag.NotExistError
	if !errors.As(err, &absent) || len(absent.GetSpecifiedName()) < 2 {
		return err
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	return fmt.Errorf("%w%s", err, didYouMean("--"+absent.GetSpecifiedName(), names))
}
