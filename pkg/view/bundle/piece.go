package bundle

import "fmt"

// piece is one object with the place it was found at. An empty list of one
// kind is a piece of that kind without raw.
type piece struct {
	typeMeta
	file string
	line int
	// inList is whether it is an item of a list: of that at the path list, and
	// with this index.
	inList bool
	list   string
	index  int
	// raw is the object's JSON, which is overwritten once the piece was taken.
	raw []byte
}

// path is where the piece is in lists, such as items[3]; empty outside.
func (p piece) path() string {
	switch {
	case !p.inList:
		return ""
	case p.list == "":
		return fmt.Sprintf("items[%d]", p.index)
	}
	return fmt.Sprintf("%s.items[%d]", p.list, p.index)
}

// item is the piece of an item of the list p.
func (p piece) item(i int) piece {
	return piece{file: p.file, line: p.line, inList: true, list: p.path(), index: i}
}

// wrap prefixes err with the place of the piece.
func (p piece) wrap(err error) error {
	if path := p.path(); path != "" {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return at(p.file, p.line, err)
}
