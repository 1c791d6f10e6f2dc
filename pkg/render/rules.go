package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// Rules lists a catalogue, a line for each rule.
func Rules(w io.Writer, all decision.Catalogue) error {
	var rows [][]string
	for _, r := range all {
		rows = append(rows, []string{r.ID, r.Title, r.Versions})
	}
	return table(w, "", []string{"RULE", "WHAT IT SAYS", "VERSIONS"}, rows)
}

// Rule writes one rule in full.
func Rule(w io.Writer, r decision.Rule) error {
	text := fmt.Sprintf("%s: %s\n\n", r.ID, r.Title)
	for _, line := range wrap(r.Text, 76) {
		text += "  " + line + "\n"
	}
	if r.Versions != "" {
		text += "\n  Versions: " + r.Versions + "\n"
	}
	text += "\n  Upstream: " + r.Source + "\n"
	_, err := io.WriteString(w, strings.TrimLeft(text, "\n"))
	return err
}
