package trace

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Unread says that a need can't be read, or not any more: what was read of it
// grows old and is forgotten.
func (e *Engine) Unread(need view.Need, why error) {
	e.cluster.failed[feedKey(need)] = why
	s := e.cluster.store(need.Kind)
	for _, key := range (scoped{s, need}).ListKeys() {
		if obj, ok, err := s.GetByKey(key); ok && err == nil {
			_ = s.Delete(obj) // its errors are those of the key function, which has none here
		}
	}
	if e.running {
		e.emit(&entry.Entry{Type: entry.Note, Message: why.Error()})
	}
}

// feedKey names what a feed reads: a kind, or one object of it.
func feedKey(need view.Need) string {
	key := need.Kind.GroupKind().String()
	if need.Name != "" {
		key += " " + need.Namespace + "/" + need.Name
	}
	return key
}

// unreadable is why a need is not read, nil when it is.
func (c *cluster) unreadable(need view.Need) error {
	if err, failed := c.failed[feedKey(need)]; failed {
		return err
	}
	return c.failed[feedKey(view.Need{Kind: need.Kind})]
}

// reasons lists why needs are not read, in a steady order.
func (c *cluster) reasons() []string {
	var all []string
	for _, key := range slices.Sorted(maps.Keys(c.failed)) {
		all = append(all, c.failed[key].Error())
	}
	return all
}

// unreadText is how a record notes a need that is not read.
func unreadText(need view.Need, why error) string { return feedKey(need) + "|" + why.Error() }

// replayUnread reads what unreadText wrote.
func (e *Engine) replayUnread(text string) error {
	feed, why, _ := strings.Cut(text, "|")
	kind, object, _ := strings.Cut(feed, " ")
	for _, k := range view.Kinds() {
		if k.GroupKind().String() == kind {
			need := view.Need{Kind: k}
			if object != "" {
				need.Namespace, need.Name, _ = strings.Cut(object, "/")
			}
			e.Unread(need, errors.New(why))
			return nil
		}
	}
	return fmt.Errorf("%q is no kind that this version knows", kind)
}
