package bundle

import (
	"bytes"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// layout is where the items of a list stand in a YAML document.
type layout struct {
	before []byte // what comes before items:, and after
	after  []byte
	items  []document
}

// splitList parses a list as kubectl prints it item by item: each item then
// has its own line and needs no more memory than one object. It gives up on
// everything that it isn't sure of; the whole document is parsed then. A split
// inside a quoted text leaves an open quote in the part before it, which does
// not parse, and so is never taken for a split between items.
func (d document) splitList() (split, bool) {
	lay, ok := d.layout()
	if !ok {
		return split{}, false
	}
	head, ok := lay.head()
	if !ok {
		return split{}, false
	}
	s := split{piece{file: d.file, line: d.firstLine()}, head, nil}
	for i, item := range lay.items {
		raw, err := toJSON(item.text)
		if err != nil || len(raw) < 2 {
			return split{}, false
		}
		p := s.place.item(i)
		p.line, p.raw = item.line, raw[1:len(raw)-1] // a list of one
		s.items = append(s.items, p)
	}
	return s, true
}

// split is a list with its items.
type split struct {
	place piece
	head  listHead
	items []piece
}

// emit hands on the items.
func (s split) emit(emit func(piece) error) error {
	l := list{typeMeta: s.head.typeMeta, place: s.place, emit: emit, found: true}
	if err := l.check(s.head); err != nil {
		return l.place.wrap(err)
	}
	if len(s.items) > maxOther {
		return l.place.wrap(tooMany(maxOther))
	}
	for i := range s.items {
		if err := l.add(s.items[i]); err != nil {
			return err
		}
		s.items[i].raw = nil // it was taken
	}
	return nil
}

// layout finds the line items: and the lines with its dashes.
func (d document) layout() (layout, bool) {
	head := lineStarting(d.text, []byte("items:"))
	if head < 0 {
		return layout{}, false
	}
	pos := lineEnd(d.text, head)
	if rest := bytes.TrimSpace(d.text[head+len("items:") : pos]); len(rest) > 0 {
		return layout{}, false
	}
	lay := layout{before: d.text[:head]}
	line := d.line + bytes.Count(d.text[:pos], []byte("\n"))
	indent, start, startLine := -1, -1, 0
	cut := func(end int) {
		if start >= 0 && len(lay.items) <= maxOther { // one too many is told where they are emitted
			lay.items = append(lay.items, document{d.file, startLine, d.text[start:end]})
		}
	}
	for ; pos < len(d.text); line++ {
		next := lineEnd(d.text, pos)
		if text := d.text[pos:next]; !insignificant(text) {
			at := indentOf(text)
			if indent < 0 {
				indent = at
			}
			if at <= indent && !marks(text[at:], "-") || at < indent {
				break
			}
			if at == indent {
				cut(pos)
				start, startLine = pos, line
			}
		}
		pos = next
	}
	cut(pos)
	lay.after = d.text[pos:]
	return lay, len(lay.items) > 0
}

// insignificant lines end no item. Within a block of text they may be text,
// but then they are indented deeper than the item.
func insignificant(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) == 0 || line[0] == '#'
}

// lineStarting is the offset of the first line with this start, or -1.
func lineStarting(text, with []byte) int {
	if bytes.HasPrefix(text, with) {
		return 0
	}
	if i := bytes.Index(text, append([]byte("\n"), with...)); i >= 0 {
		return i + 1
	}
	return -1
}

func indentOf(text []byte) int {
	return len(text) - len(bytes.TrimLeft(text, " "))
}

// head is what the list holds beside its items.
func (l layout) head() (listHead, bool) {
	head := listHead{}
	for _, part := range [][]byte{l.before, l.after} {
		raw, err := toJSON(part)
		if err != nil {
			return head, false
		}
		if string(raw) == "null" {
			continue
		}
		var members map[string]skipped
		if utiljson.Unmarshal(raw, &members) != nil || utiljson.Unmarshal(raw, &head) != nil {
			return head, false
		}
		for name := range members {
			if name == "items" || !isField(name) {
				return head, false
			}
		}
	}
	return head, head.listKind()
}
