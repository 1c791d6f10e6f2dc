package bundle

import "bytes"

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
func (d document) splitList() (value, bool) {
	lay, ok := d.layout()
	if !ok {
		return value{}, false
	}
	list, ok := lay.list()
	if !ok {
		return value{}, false
	}
	list.line = d.firstLine()
	for _, item := range lay.items {
		raw, err := toJSON(item.text)
		if err != nil || len(raw) < 2 {
			return value{}, false
		}
		list.items = append(list.items, value{line: item.line, raw: raw[1 : len(raw)-1]}) // a list of one
	}
	return list, true
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
		if start >= 0 && len(lay.items) <= maxObjects { // one too many is told where they are emitted
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

// list is the list without its items.
func (l layout) list() (value, bool) {
	var v value
	for _, part := range [][]byte{l.before, l.after} {
		raw, err := toJSON(part)
		if err != nil {
			return v, false
		}
		if string(raw) == "null" {
			continue
		}
		members, _, err := jsonValues(raw, 0)
		if err != nil || len(members) != 1 || raw[0] != '{' || members[0].items != nil {
			return v, false
		}
		v.inherit(members[0].typeMeta)
		if v.APIVersion == "" {
			v.APIVersion = members[0].APIVersion
		}
	}
	v.isList = v.listKind()
	return v, v.isList
}
