package render

import (
	"regexp"
	"slices"
	"strings"
)

// The marks of lines that are new and of those that are gone.
const (
	isNew  = '+'
	isGone = '-'
	isSame = ' '
)

// marked is a line of an answer beside the one before it.
type marked struct {
	mark rune
	text string
}

// passing is what changes as time goes by: instants and ages.
var passing = regexp.MustCompile(`\d{4}-\d\d-\d\dT[\d:.]+Z|\d\d:\d\d:\d\dZ|\b(\d+[ydhms])+\b`)

// key is what makes a line another one. Columns may have moved.
func key(line string) string {
	return passing.ReplaceAllString(strings.Join(strings.Fields(line), " "), "·")
}

func keys(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = key(line)
	}
	return out
}

// changes merges two answers: the lines of the second, with those that only
// the first had where they stood.
func changes(before, after []string) []marked {
	old, fresh := keys(before), keys(after)
	var out []marked
	i, j := 0, 0
	for _, m := range append(matches(old, fresh), [2]int{len(old), len(fresh)}) {
		for ; i < m[0]; i++ {
			if old[i] != "" {
				out = append(out, marked{isGone, before[i]})
			}
		}
		for ; j < m[1]; j++ {
			mark := isNew
			if fresh[j] == "" {
				mark = isSame
			}
			out = append(out, marked{mark, after[j]})
		}
		if j < len(fresh) {
			out = append(out, marked{isSame, after[j]})
		}
		i, j = i+1, j+1
	}
	return out
}

// large is how many pairs of lines are worth comparing.
const large = 4_000_000

// matches pairs the lines of a longest common subsequence. Of very long texts
// only the common start is found.
func matches(a, b []string) [][2]int {
	var out [][2]int
	first := 0
	for first < len(a) && first < len(b) && a[first] == b[first] {
		out = append(out, [2]int{first, first})
		first++
	}
	if (len(a)-first)*(len(b)-first) > large {
		return out
	}
	for _, m := range longest(a[first:], b[first:]) {
		out = append(out, [2]int{m[0] + first, m[1] + first})
	}
	return out
}

// longest finds a longest common subsequence.
func longest(a, b []string) [][2]int {
	lengths := make([][]int, len(a)+1)
	for i := range lengths {
		lengths[i] = make([]int, len(b)+1)
	}
	for i := range slices.Backward(a) {
		for j := range slices.Backward(b) {
			if a[i] == b[j] {
				lengths[i][j] = lengths[i+1][j+1] + 1
			} else {
				lengths[i][j] = max(lengths[i+1][j], lengths[i][j+1])
			}
		}
	}
	var out [][2]int
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			out = append(out, [2]int{i, j})
			i, j = i+1, j+1
		case lengths[i+1][j] >= lengths[i][j+1]:
			i++
		default:
			j++
		}
	}
	return out
}
