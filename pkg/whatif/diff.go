package whatif

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// diff lists the leaves in which two JSON objects differ.
func diff(ref decision.Ref, before, after []byte) ([]decision.Change, error) {
	var a, b map[string]any
	if err := json.Unmarshal(before, &a); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(after, &b); err != nil {
		return nil, err
	}
	var changes []decision.Change
	walk("", a, b, func(path string, from, to any) {
		c := decision.Change{Object: ref, Path: path, From: show(from), To: show(to)}
		if c.From == c.To { // such as a number and its text, which custom resources store as written
			c.From, c.To = quoted(from), quoted(to)
		}
		if path == string(decision.KeySpecReplicas) {
			c.Sizes = sizes(from, to)
		}
		changes = append(changes, c)
	})
	return changes, nil
}

// sizes are two values of spec.replicas, nil where one is no number.
func sizes(from, to any) *decision.Sizes {
	all := [2]int64{1, 1}
	for i, v := range []any{from, to} {
		n, number := v.(float64)
		switch {
		case number:
			all[i] = int64(n)
		case v != nil:
			return nil
		}
	}
	return &decision.Sizes{From: all[0], To: all[1]}
}

// walk reports every path at which two values differ, in order. Lists of objects with names
// compare by these where their names differ, others by position when they are of one length;
// the rest are leaves.
func walk(path string, a, b any, report func(path string, from, to any)) {
	if an, bn := named(a), named(b); an != nil && bn != nil && !slices.Equal(an.names, bn.names) {
		an.walk(path, bn, report)
		return
	}
	if al, bl, ok := lists(a, b); ok {
		for i := range al {
			walk(fmt.Sprintf("%s[%d]", path, i), al[i], bl[i], report)
		}
		return
	}
	am, aok := a.(map[string]any)
	bm, bok := b.(map[string]any)
	if !aok || !bok {
		if !reflect.DeepEqual(a, b) {
			report(path, a, b)
		}
		return
	}
	for _, k := range union(am, bm) {
		walk(strings.TrimPrefix(path+"."+k, "."), am[k], bm[k], report)
	}
}

// byName are the objects of a list by their names.
type byName struct {
	names []string
	items map[string]any
}

// named is a list of objects that have each a name of their own, nil for others. A name of
// digits could be taken for a position.
func named(v any) *byName {
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return nil
	}
	all := byName{items: map[string]any{}}
	for _, item := range list {
		object, _ := item.(map[string]any)
		name, _ := object["name"].(string)
		if _, twice := all.items[name]; twice || strings.Trim(name, "0123456789") == "" {
			return nil
		}
		all.names, all.items[name] = append(all.names, name), item
	}
	return &all
}

// walk compares the objects of two lists. Another order of the same names is a change of the
// list.
func (a *byName) walk(path string, b *byName, report func(path string, from, to any)) {
	if len(a.names) == len(b.names) && len(a.names) == len(union(a.items, b.items)) {
		report(path, a.names, b.names)
	}
	for _, name := range union(a.items, b.items) {
		walk(fmt.Sprintf("%s[%s]", path, name), a.items[name], b.items[name], report)
	}
}

// union are the keys of two maps, in order.
func union(a, b map[string]any) []string {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(keys)
	return slices.Compact(keys)
}

// lists reports whether two values are lists of as many objects.
func lists(a, b any) (al, bl []any, ok bool) {
	al, aok := a.([]any)
	bl, bok := b.([]any)
	if !aok || !bok || len(al) != len(bl) {
		return nil, nil, false
	}
	for _, item := range slices.Concat(al, bl) {
		if _, object := item.(map[string]any); !object {
			return nil, nil, false
		}
	}
	return al, bl, true
}

// quoted is a value as show has it, with a text in quotes.
func quoted(v any) string {
	if text, ok := v.(string); ok {
		return strconv.Quote(text)
	}
	return show(v)
}

func show(v any) string {
	if v == nil {
		return "unset"
	}
	if text, ok := v.(string); ok {
		return text
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}
