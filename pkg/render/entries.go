package render

import "strings"

// item is a labelled line about an object, or several.
type item struct{ label, object, text, rule string }

// sentence is the entry's text, with its rule where that is shown.
func (p *page) sentence(e item) string { return p.ruled(clean(e.text), e.rule) }

// entries writes labelled lines in three columns; the last is wrapped under
// itself on a terminal. Where that leaves too little room they are stacked.
func (p *page) entries(all []item) {
	labels, objects := 0, 0
	for _, e := range all {
		labels, objects = max(labels, width(e.label)), max(objects, width(clean(e.object)))
	}
	stacked := p.Width > 0 && p.Width-labels-objects-2*2 < readable
	seen := ""
	for _, e := range all {
		label := e.label
		if label == seen {
			label = ""
		} else if label != "" {
			seen = label
		}
		if stacked {
			p.stacked(e, label)
		} else {
			p.item(e, padded(p.label(label), labels+2), objects)
		}
	}
}

func (p *page) item(e item, head string, objects int) {
	if e.object != "" {
		head += padded(clean(e.object), objects+2)
	}
	indent, room := width(head), 0
	if p.Width > 0 {
		room = p.Width - indent
	}
	for i, line := range wrap(p.sentence(e), room) {
		if i > 0 {
			head = strings.Repeat(" ", indent)
		}
		p.line(head + line)
	}
}

// stacked writes an item in steps, each further to the right.
func (p *page) stacked(e item, label string) {
	if label != "" {
		p.line(p.label(label))
	}
	indent := "  "
	if e.object != "" {
		p.line(indent + clean(e.object))
		indent += strings.Repeat(" ", 2+len(e.object)-len(strings.TrimLeft(e.object, " ")))
	}
	p.below(indent, p.sentence(e))
}
