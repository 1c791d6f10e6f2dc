package render

import (
	"fmt"
	"io"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// RuleGroup are the rules of a controller, or of a question.
type RuleGroup struct {
	// ID is the controller's, or the question's. With the ID of a rule it names one.
	ID string
	// Name is what people read.
	Name  string
	Rules decision.Catalogue
}

// RuleName is the full name of a rule of the group.
func (g RuleGroup) RuleName(r decision.Rule) string { return g.ID + "/" + r.ID }

// Rules lists groups, a line for each rule.
func Rules(w io.Writer, groups []RuleGroup, o Options) error {
	p := newPage(nil, o)
	for i, group := range groups {
		if i > 0 {
			p.WriteByte('\n')
		}
		p.line(p.label(group.Name + ":"))
		var rows [][]string
		for _, r := range group.Rules {
			rows = append(rows, []string{r.ID, r.Title, r.Versions})
		}
		if err := p.grid(grid{header: []string{"RULE", "WHAT IT SAYS", "VERSIONS"}, rows: rows, name: 0, text: 1}); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// RuleNames lists the full names of the rules of groups.
func RuleNames(w io.Writer, groups []RuleGroup) error {
	for _, g := range groups {
		for _, r := range g.Rules {
			if _, err := fmt.Fprintln(w, g.RuleName(r)); err != nil {
				return err
			}
		}
	}
	return nil
}

// RuleList is the JSON form of rules.
type RuleList struct {
	metav1.TypeMeta `json:",inline"`
	// Items are the rules, in the order of their groups.
	Items []RuleItem `json:"items"`
}

// RuleItem is one rule.
type RuleItem struct {
	// ID is what answers cite.
	ID string `json:"id"`
	// Group is the controller, or the question, that it belongs to: both name the rule.
	Group string `json:"group"`
	// Title is the rule in a few words.
	Title string `json:"title"`
	// Text is the rule in full.
	Text string `json:"text"`
	// Source is the upstream file and function.
	Source string `json:"source"`
	// Versions says of which versions it holds; absent for all.
	Versions string `json:"versions,omitempty"`
	// Facts are the names of those that every ruling by it has; absent for none.
	Facts []string `json:"facts,omitempty"`
}

// DeepCopyObject makes RuleList a runtime.Object.
func (l *RuleList) DeepCopyObject() runtime.Object { c := *l; return &c }

// NewRuleList is the JSON form of groups.
func NewRuleList(groups []RuleGroup) *RuleList {
	list := &RuleList{TypeMeta: typeOf("RuleList"), Items: []RuleItem{}}
	for _, g := range groups {
		for _, r := range g.Rules {
			list.Items = append(list.Items, RuleItem{ID: r.ID, Group: g.ID, Title: r.Title, Text: r.Text, Source: r.Source, Versions: r.Versions, Facts: factNames(r)})
		}
	}
	return list
}

func factNames(r decision.Rule) (names []string) {
	for _, k := range r.Keys {
		names = append(names, string(k))
	}
	return names
}

// ruleWidth is how wide a rule's text is set where there is room for more.
const ruleWidth = 78

// RulesInFull explains the rules of groups, one after the other.
func RulesInFull(w io.Writer, groups []RuleGroup, o Options) error {
	if o.Width == 0 || o.Width > ruleWidth {
		o.Width = ruleWidth
	}
	p := newPage(nil, o)
	for _, g := range groups {
		for _, r := range g.Rules {
			if p.Len() > 0 {
				p.WriteByte('\n')
			}
			p.rule(g, r)
		}
	}
	_, err := io.WriteString(w, p.String())
	return err
}

func (p *page) rule(g RuleGroup, r decision.Rule) {
	p.below("", r.ID+": "+r.Title)
	p.WriteByte('\n')
	p.below("  ", r.Text)
	if r.Versions != "" {
		p.WriteByte('\n')
		p.below("  ", "Versions: "+r.Versions)
	}
	p.WriteByte('\n')
	p.below("  ", "Rule: "+g.RuleName(r)+" ("+g.Name+")")
	p.below("  ", "Upstream: "+r.Source)
}
