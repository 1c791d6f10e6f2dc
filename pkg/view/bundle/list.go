package bundle

import (
	"bytes"
	"errors"
	"fmt"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// maxLists bounds lists within lists.
const maxLists = 8

// list is an object that is being read, and that may be a list.
type list struct {
	typeMeta
	place piece
	depth int // of lists
	emit  func(piece) error

	// found is whether there are items, count how many.
	found bool
	count int
	// waiting are items whose type is the list's, which comes after them.
	waiting []waiting
	// objects is whether an item is an object of Kubernetes.
	objects bool
}

// waiting is an item whose type is not known yet.
type waiting struct {
	raw         []byte
	line, index int32
}

// piece is the item with its place.
func (w waiting) piece(list piece) piece {
	p := list.item(int(w.index))
	p.line, p.raw = int(w.line), w.raw
	return p
}

// add hands an item on, or keeps it until the list's type is known.
func (l *list) add(item piece) error {
	l.count++
	err := item.readType()
	switch {
	case l.Kind != "" && !l.listKind():
		l.objects = l.objects || err == nil && item.name("") != ""
		return nil
	case err == nil && item.check() == nil, l.Kind != "" && l.APIVersion != "":
		l.objects = true
		return l.hand(item, err)
	}
	l.waiting = append(l.waiting, waiting{bytes.Clone(item.raw), int32(item.line), int32(item.index)})
	return nil
}

// hand hands on an item; err is what reading its type met.
func (l *list) hand(item piece, err error) error {
	if err != nil {
		return item.wrap(err)
	}
	if element, typed := l.element(); typed {
		item.inherit(element)
	}
	if item.listKind() {
		return item.json(bytes.NewReader(item.raw), l.depth+1, l.emit)
	}
	return l.emit(item)
}

// finish hands on what is left once the whole object was read: raw is the
// object without its items.
func (l *list) finish(raw []byte) error {
	p := l.place
	p.typeMeta, p.raw = l.typeMeta, raw
	if !l.listKind() {
		for _, w := range l.waiting {
			l.objects = l.objects || w.piece(p).name("") != ""
		}
		if l.Kind != "" && l.objects {
			return p.wrap(fmt.Errorf("%s has items, but is no list: is its kind right?", l.Kind))
		}
		return l.emit(p)
	}
	var head listHead
	if err := utiljson.Unmarshal(raw, &head); err != nil {
		return p.wrap(view.Undecodable(err))
	}
	if !l.found && head.Metadata.Name != "" {
		return l.emit(p) // an object of a kind with such a name
	}
	if err := l.check(head); err != nil {
		return p.wrap(err)
	}
	return l.rest(p)
}

// rest hands on the items that waited, or that there are none.
func (l *list) rest(p piece) error {
	for _, w := range l.waiting {
		item := w.piece(p)
		if err := l.hand(item, item.readType()); err != nil {
			return err
		}
	}
	if element, typed := l.element(); typed && l.count == 0 {
		p.typeMeta, p.raw = element, nil
		return l.emit(p)
	}
	return nil
}

// listHead is what a list holds beside its items.
type listHead struct {
	typeMeta
	Metadata struct {
		Name      string `json:"name"`
		Continue  string `json:"continue"`
		Remaining int64  `json:"remainingItemCount"`
	} `json:"metadata"`
}

// check refuses a list that lacks items. A page of a list would pass for the
// whole.
func (l *list) check(head listHead) error {
	switch {
	case !l.found:
		return fmt.Errorf("this %s has no items: is the file cut short?", l.Kind)
	case head.Metadata.Remaining > 0:
		return fmt.Errorf("this %s is one page: %d more items are on the server. %s", l.Kind, head.Metadata.Remaining, wholeList)
	case head.Metadata.Continue != "":
		return fmt.Errorf("this %s is one page: more items are on the server. %s", l.Kind, wholeList)
	}
	return nil
}

const wholeList = "Get the whole list with kubectl get --chunk-size=0, or without limit= in the request"

// readType reads the type of an item, which items of typed lists leave to the
// list.
func (p *piece) readType() error {
	if !bytes.HasPrefix(p.raw, []byte("{")) {
		return expectedObject(p.raw)
	}
	if err := utiljson.Unmarshal(p.raw, &p.typeMeta); err != nil {
		return view.Undecodable(err)
	}
	return nil
}

func expectedObject(raw []byte) error {
	return errors.New("expected an object, found " + describe(raw))
}
