package render

import "strings"

// entry is a labelled line about an object, or several.
type entry struct{ label, object, text, rule string }

// entries writes labelled lines in three columns; the last is wrapped under
// itself on a terminal.
func (p *page) entries(all []entry) {
	labels, objects := 0, 0
	for _, e := range all {
		labels, objects = max(labels, len(e.label)), max(objects, len([]rune(e.object)))
	}
	seen := ""
	for _, e := range all {
		label := e.label
		if label == seen {
			label = ""
		} else if label != "" {
			seen = label
		}
		p.entry(e, p.label(label)+strings.Repeat(" ", labels-len(label)+2), objects)
	}
}

func (p *page) entry(e entry, head string, objects int) {
	indent := noANSI(head)
	if e.object != "" {
		name := clean(e.object)
		head += name + strings.Repeat(" ", objects-len([]rune(name))+2)
		indent += objects + 2
	}
	text := clean(e.text)
	if e.rule != "" {
		text += " [" + e.rule + "]"
	}
	width := 0
	if p.Width > 0 {
		width = p.Width - indent
	}
	for i, line := range wrap(text, width) {
		if i > 0 {
			head = strings.Repeat(" ", indent)
		}
		p.line(head + line)
	}
}

// noANSI is the width of text that may be painted.
func noANSI(text string) int {
	n, escape := 0, false
	for _, r := range text {
		switch {
		case r == '\x1b':
			escape = true
		case escape:
			escape = r != 'm'
		default:
			n++
		}
	}
	return n
}
