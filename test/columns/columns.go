// Package columns finds lines of answers that are longer than people read.
package columns

import (
	"strings"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// Most is how many columns a line of an answer has at most, unless -o asks otherwise.
const Most = 100

// Wrapped reports whether a command prints an answer that is wrapped at Most columns
// where its output is no terminal. Other forms, and lists without headers, are for
// programs and for wide screens; trace has a line for each event, to search in.
func Wrapped(args []string) bool {
	if len(args) == 0 || args[0] == "trace" || args[0] == "snapshot" || strings.HasPrefix(args[0], "__") {
		return false
	}
	for _, arg := range args {
		if strings.HasPrefix(arg, "-o") || strings.HasPrefix(arg, "--output") || arg == "--no-headers" || arg == "-h" || arg == "--help" || arg == "help" {
			return false
		}
	}
	return true
}

// Long are the lines of an answer that are longer than Most. A command to type next is
// never broken, nor is a word.
func Long(text string) (long []string) {
	for line := range strings.SplitSeq(text, "\n") {
		if twwidth.Width(line) > Most && !copied(line) && strings.Contains(strings.TrimSpace(tail(line)), " ") {
			long = append(long, line)
		}
	}
	return long
}

// copied reports whether a line is a command to copy.
func copied(line string) bool {
	return strings.HasPrefix(line, "Next: ") || strings.HasPrefix(line, "$ ") || strings.Contains(line, "kubectl annotate ")
}

// tail is what stands behind the label or the cells before the last column.
func tail(line string) string {
	trimmed := strings.TrimRight(line, " ")
	if i := strings.LastIndex(trimmed, "   "); i >= 0 {
		return trimmed[i:]
	}
	return trimmed
}
