package render

import (
	"fmt"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// updates writes where each pod stands in a rollout. Pods that need nothing,
// and more than a few of one course, are counted unless all is asked for.
func (p *page) updates() error {
	if !p.rolling() {
		return nil
	}
	p.line("\n" + p.label("UPDATES"))
	var rows [][]string
	f := folding(p.All, func(c decision.Course) int {
		if c == decision.Updated {
			return 0
		}
		return mostSafe
	})
	for _, u := range p.d.Updates {
		if f.shows(u.Course) {
			rows = append(rows, []string{place(u), clean(u.Object.Name), string(u.Course) + share(u), clean(u.Message), p.dim(u.Rule)})
		}
	}
	if err := p.grid(grid{indent: "  ", header: []string{"#", "POD", "COURSE", "WHY", ""}, rows: rows, name: 1, text: 3}); err != nil {
		return err
	}
	for _, c := range []decision.Course{decision.InPlace, decision.Recreated, decision.Preparing, decision.Refused, decision.Waiting, decision.Kept, decision.Updated} {
		if f.left[c] > 0 {
			p.line("  " + more(f.left[c], string(c)))
		}
	}
	return nil
}

// rolling tells whether any pod is not yet where it shall be.
func (p *page) rolling() bool {
	for _, u := range p.d.Updates {
		if u.Course != decision.Updated {
			return true
		}
	}
	return false
}

func place(u decision.Update) string {
	if u.Place == 0 {
		return "-"
	}
	return fmt.Sprint(u.Place)
}

func share(u decision.Update) string {
	if u.Choice == nil {
		return ""
	}
	return fmt.Sprintf(" (%d of %d)", u.Choice.K, u.Choice.N)
}

// limits writes the arithmetic, and the revisions that it is about.
func (p *page) limits() {
	label := "LIMITS"
	for _, l := range p.d.Limits {
		p.note(label, fmt.Sprintf("%s [%s]", l.Message, l.Rule))
		label = ""
	}
	label = "REVISIONS"
	for _, r := range p.d.Revisions {
		role := ""
		if len(r.Roles) > 0 {
			role = " (" + strings.Join(r.Roles, ", ") + ")"
		}
		p.note(label, fmt.Sprintf("%s%s  %s", r.Name, role, r.Message))
		label = ""
	}
}
