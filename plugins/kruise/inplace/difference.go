package inplace

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Operation is one operation of a JSON patch.
type Operation struct {
	Kind, Path string
	value      any
}

// Difference lists in what b differs from a, in the order of paths. It mirrors
// CreatePatch of github.com/appscode/jsonpatch (v1.0.1) as far as an in-place
// update tells operations apart: arrays of objects compare by position, and
// arrays of plain values count as changed at their own path.
func Difference(a, b map[string]any) []Operation {
	return diffMaps("", a, b, nil)
}

func diffMaps(path string, a, b map[string]any, out []Operation) []Operation {
	both := map[string]bool{}
	for k := range a {
		both[k] = true
	}
	for k := range b {
		both[k] = true
	}
	for _, k := range slices.Sorted(maps.Keys(both)) {
		p := path + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(k)
		av, inA := a[k]
		bv, inB := b[k]
		switch {
		case !inA:
			out = append(out, Operation{"add", p, bv})
		case !inB:
			out = append(out, Operation{"remove", p, nil})
		default:
			out = diffValues(p, av, bv, out)
		}
	}
	return out
}

func diffValues(path string, a, b any, out []Operation) []Operation {
	if am, ok := a.(map[string]any); ok {
		if bm, ok := b.(map[string]any); ok {
			return diffMaps(path, am, bm, out)
		}
	}
	as, aIsList := a.([]any)
	bs, bIsList := b.([]any)
	switch {
	case aIsList && bIsList && !plainValues(as) && !plainValues(bs):
		return diffLists(path, as, bs, out)
	case reflect.DeepEqual(a, b):
		return out
	case a == nil:
		return append(out, Operation{"add", path, b})
	default:
		return append(out, Operation{"replace", path, b})
	}
}

func diffLists(path string, a, b []any, out []Operation) []Operation {
	for i := range max(len(a), len(b)) {
		p := fmt.Sprintf("%s/%d", path, i)
		switch {
		case i >= len(a):
			out = append(out, Operation{"add", p, b[i]})
		case i >= len(b):
			out = append(out, Operation{"remove", p, nil})
		default:
			out = diffValues(p, a[i], b[i], out)
		}
	}
	return out
}

// plainValues tells lists of scalars.
func plainValues(list []any) bool {
	for _, v := range list {
		switch v.(type) {
		case string, float64, bool, nil:
		default:
			return false
		}
	}
	return true
}
