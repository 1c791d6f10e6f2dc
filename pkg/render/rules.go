package render

import (
	"io"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// Rules lists a catalogue, a line for each rule.
func Rules(w io.Writer, all decision.Catalogue, o Options) error {
	p := newPage(nil, o)
	var rows [][]string
	for _, r := range all {
		rows = append(rows, []string{r.ID, r.Title, r.Versions})
	}
	if err := p.grid(grid{header: []string{"RULE", "WHAT IT SAYS", "VERSIONS"}, rows: rows, name: 0, text: 1}); err != nil {
		return err
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// ruleWidth is how wide a rule's text is set where there is room for more.
const ruleWidth = 78

// Rule writes one rule in full.
func Rule(w io.Writer, r decision.Rule, o Options) error {
	if o.Width == 0 || o.Width > ruleWidth {
		o.Width = ruleWidth
	}
	p := newPage(nil, o)
	p.below("", r.ID+": "+r.Title)
	p.WriteByte('\n')
	p.below("  ", r.Text)
	if r.Versions != "" {
		p.WriteByte('\n')
		p.below("  ", "Versions: "+r.Versions)
	}
	p.WriteByte('\n')
	p.below("  ", "Upstream: "+r.Source)
	_, err := io.WriteString(w, p.String())
	return err
}
