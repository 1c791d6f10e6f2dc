package bundle

import (
	"bytes"
	"fmt"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// maxLists bounds lists within lists.
const maxLists = 8

// piece is one object with the place it was found at. An empty list of one
// kind is a piece of that kind without raw.
type piece struct {
	typeMeta
	doc  document
	line int
	path string // items[3] for objects in a list
	raw  []byte
}

// wrap prefixes err with the place of the piece.
func (p piece) wrap(err error) error {
	if p.path != "" {
		err = fmt.Errorf("%s: %w", p.path, err)
	}
	return p.doc.at(p.line, err)
}

// scan hands every object of the document to emit, the items of lists one by
// one.
func (d document) scan(emit func(piece) error) error {
	values, err := d.values()
	if err != nil {
		return err
	}
	for _, v := range values {
		p := piece{v.typeMeta, d, v.line, "", v.raw}
		switch {
		case string(v.raw) == "null":
			continue
		case !v.isList && v.raw[0] != '{':
			return p.wrap(fmt.Errorf("expected an object, found %s", describe(v.raw)))
		}
		if err := p.expand(v, 0, emit); err != nil {
			return err
		}
	}
	return nil
}

// expand emits the piece, or what it holds when v is a list.
func (p piece) expand(v value, depth int, emit func(piece) error) error {
	if !v.isList {
		return emit(p)
	}
	if depth > maxLists {
		return p.wrap(fmt.Errorf("lists are nested deeper than %d", maxLists))
	}
	if element, typed := v.element(); typed && len(v.items) == 0 {
		return emit(piece{typeMeta: element, doc: p.doc, line: p.line, path: p.path})
	}
	for i, item := range v.items {
		inner := piece{doc: p.doc, line: item.line, path: itemPath(p.path, i), raw: item.raw}
		child, err := inner.parse(v.typeMeta)
		if err != nil {
			return inner.wrap(err)
		}
		inner.typeMeta = child.typeMeta
		if err := inner.expand(child, depth+1, emit); err != nil {
			return err
		}
	}
	return nil
}

func itemPath(parent string, i int) string {
	path := fmt.Sprintf("items[%d]", i)
	if parent == "" {
		return path
	}
	return parent + "." + path
}

// parse reads the type of a list's item, which items of typed lists leave to
// the list, and splits it when it is a list itself.
func (p piece) parse(list typeMeta) (value, error) {
	if !bytes.HasPrefix(p.raw, []byte("{")) {
		return value{}, fmt.Errorf("expected an object, found %s", describe(p.raw))
	}
	v := value{line: p.line, raw: p.raw}
	if err := utiljson.Unmarshal(p.raw, &v.typeMeta); err != nil {
		return value{}, plain(err)
	}
	if element, typed := list.element(); typed {
		v.inherit(element)
	}
	if !v.listKind() {
		return v, nil
	}
	nested, _, err := jsonValues(p.raw, p.line)
	if err != nil {
		return value{}, err
	}
	return nested[0], nil
}
