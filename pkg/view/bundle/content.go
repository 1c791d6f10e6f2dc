package bundle

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"time"

	apimeta "k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// content is everything that was read from files.
type content struct {
	header  *header
	reads   []view.Read
	objects objects
	// listed are kinds of which there is an empty list: it says that there are
	// none, which no object could.
	listed []view.Kind
	others tally
	// strangers are the objects that others counts, as far as they have owners
	// or can be some: nothing but their metadata.
	strangers []Object
	// anonymous are those that have no UID.
	anonymous []found
	now       time.Time
	notes     []view.Note
	newest    newest
	// bares counts the objects that are held as bare metadata.
	bares int
	// room is what is left for objects that stay decoded, estimated in bytes.
	room     int
	last     *view.Kind
	deferrer deferrer
	// scratch are objects that are decoded to be looked over.
	scratch map[schema.GroupVersionKind]runtime.Object
	// follow counts the objects behind the header.
	follow int
	// from is where the header stands, first where the first object does.
	from, first string
}

// gather reads all objects of paths. Those stay decoded that have room, in bytes.
func gather(paths []string, stdin io.Reader, room int) (content, error) {
	c := content{others: tally{}, room: room, deferrer: newDeferrer(), scratch: map[schema.GroupVersionKind]runtime.Object{}}
	err := each(paths, stdin, saved, c.take)
	switch {
	case err != nil:
		return c, err
	case c.header == nil && c.objects.none():
		return c, nothingIn(paths, c.others, "pods, replicasets and what else kubectl get -o yaml prints of their namespace")
	}
	if err := c.counted(); err != nil {
		return c, err
	}
	c.objects.settle()
	if err := c.identified(); err != nil {
		return c, err
	}
	c.notes = append(c.notes, c.objects.notes()...)
	return c, nil
}

// take files one object away.
func (c *content) take(p piece) error {
	switch {
	case p.isHeader():
		return c.takeHeader(p)
	case p.raw == nil:
		c.takeEmpty(p)
		return nil
	}
	if err := c.together(p); err != nil {
		return err
	}
	kind, known, err := kindOf(p.typeMeta)
	switch {
	case err != nil:
		return p.wrap(err)
	case !known:
		c.others.add(p.typeMeta)
		c.newest.see(stamps(p.raw), p)
		return c.takeStranger(p)
	}
	c.follow++
	p, kind = c.known(p, kind)
	c.room -= weight(p.raw)
	o, err := c.decode(p, kind)
	if err != nil {
		return err
	}
	if kind.Namespaced && o.Obj.GetNamespace() == "" {
		return p.wrap(fmt.Errorf("%s: metadata.namespace is missing: add the namespace that the object is in, such as namespace: default", o.ref()))
	}
	c.newest.see(latest(o.Obj), o)
	shared := c.kind(kind)
	switch {
	case !full(o.Obj):
		if err := c.bare(p); err != nil {
			return err
		}
	case c.room < 0:
		o.Obj = c.deferrer.deferred(shared, o.Obj, p.raw)
	}
	c.objects.add(shared, o)
	return nil
}

// kind is where objects of a kind have it in common with their neighbours.
func (c *content) kind(k view.Kind) *view.Kind {
	if c.last == nil || c.last.GroupVersionKind != k.GroupVersionKind {
		c.last = &k
	}
	return c.last
}

// known brings an object of a later version into the form that deciders know.
func (c *content) known(p piece, kind view.Kind) (piece, view.Kind) {
	p, kind, later := p.known(kind, view.Whole)
	if note := (view.Note{Code: view.ReadAsLater, Message: view.ReadAsLaterMessage}); later && !slices.Contains(c.notes, note) {
		c.notes = append(c.notes, note)
	}
	return p, kind
}

// takeStranger keeps the metadata of an object of a kind that no decision
// reads. What is no object at all, such as a Config, has none.
func (c *content) takeStranger(p piece) error {
	gv, err := schema.ParseGroupVersion(p.APIVersion)
	if err != nil || c.header != nil {
		return nil
	}
	plural, _ := apimeta.UnsafeGuessKindToResource(gv.WithKind(p.Kind))
	kind := view.Kind{GroupVersionKind: gv.WithKind(p.Kind), Resource: plural.Resource, Namespaced: true}
	o, err := p.decodeMetadata(kind)
	if err != nil {
		return nil
	}
	o.Kind.Namespaced = o.Obj.GetNamespace() != ""
	o.Raw = nil // it is overwritten
	if o.Obj.GetUID() == "" {
		c.anonymous = append(c.anonymous, found{o.Obj, &o.Kind, o.File, int32(o.Line)})
		return c.bare(p)
	}
	c.strangers = append(c.strangers, o)
	return c.bare(p)
}

// bare counts one object that is held as bare metadata, and refuses one too many.
func (c *content) bare(p piece) error {
	if c.bares++; c.bares > maxOther {
		return p.wrap(tooMany(maxOther))
	}
	return nil
}

// takeEmpty notes an empty list.
func (c *content) takeEmpty(p piece) {
	if kind, known, err := kindOf(p.typeMeta); err == nil && known {
		c.listed = append(c.listed, kind)
	}
}

// decode takes an object of a bundle that is nothing but metadata for one that
// was read as metadata. All kinds have further fields when they are whole.
func (c *content) decode(p piece, kind view.Kind) (Object, error) {
	if c.header != nil && onlyMetadata(p.raw) {
		return p.decodeMetadata(kind)
	}
	if c.room < 0 && kind.Typed() {
		return c.lookOver(p, kind)
	}
	return p.decode(kind)
}

// lookOver decodes an object of which no more is kept than its metadata: the
// next one of its kind takes its room.
func (c *content) lookOver(p piece, kind view.Kind) (Object, error) {
	obj, known := c.scratch[kind.GroupVersionKind]
	if !known {
		var err error
		if obj, err = view.Scheme.New(kind.GroupVersionKind); err != nil {
			return Object{}, p.wrap(err)
		}
		c.scratch[kind.GroupVersionKind] = obj
	}
	reflect.ValueOf(obj).Elem().SetZero()
	return p.decodeInto(kind, obj)
}

func onlyMetadata(raw []byte) bool {
	var members map[string]skipped
	if utiljson.Unmarshal(raw, &members) != nil {
		return false
	}
	for name := range members {
		if name != "apiVersion" && name != "kind" && name != "metadata" {
			return false
		}
	}
	return true
}

// skipped is a value that is not decoded.
type skipped struct{}

func (*skipped) UnmarshalJSON([]byte) error { return nil }

// takeHeader starts a bundle.
func (c *content) takeHeader(p piece) error {
	switch {
	case c.header != nil:
		return p.wrap(fmt.Errorf("there is a bundle at %s already: give one of them", c.from))
	case c.first != "":
		return p.wrap(fmt.Errorf("a bundle has to come first and alone, but there is an object at %s", c.first))
	}
	h, reads, err := parseHeader(p)
	if err != nil {
		return err
	}
	c.header, c.reads, c.from = &h, reads, p.file
	for _, n := range h.Notes {
		c.notes = append(c.notes, view.Note{Code: n.Code, Message: n.Message})
	}
	return nil
}

// together rejects objects beside a bundle. A bundle says what was read, so
// that an object from elsewhere would pass for the whole answer to its need.
func (c *content) together(p piece) error {
	if c.first == "" {
		c.first = fmt.Sprintf("%s:%d", p.file, p.line)
	}
	if c.header != nil && p.file != c.from {
		return p.wrap(fmt.Errorf("objects cannot be added to the bundle %s: give the bundle alone", c.from))
	}
	return nil
}
