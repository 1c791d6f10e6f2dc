package whatif

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
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
		changes = append(changes, decision.Change{Object: ref, Path: path, From: show(from), To: show(to)})
	})
	return changes, nil
}

// walk reports every path at which two values differ, in order. Lists of
// objects compare by position when they are of one length; others are leaves.
func walk(path string, a, b any, report func(path string, from, to any)) {
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
	keys := slices.Collect(maps.Keys(am))
	keys = slices.AppendSeq(keys, maps.Keys(bm))
	slices.Sort(keys)
	for _, k := range slices.Compact(keys) {
		walk(strings.TrimPrefix(path+"."+k, "."), am[k], bm[k], report)
	}
}

// lists tells whether two values are lists of as many objects.
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
