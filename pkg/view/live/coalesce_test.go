package live

import (
	"slices"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

func TestCoalesce(t *testing.T) {
	whole := func(ns string) view.Need { return view.Need{Kind: view.Pods, Namespace: ns, Detail: view.Full} }
	bare := func(ns string) view.Need { return view.Need{Kind: view.Pods, Namespace: ns} }
	one := func(ns, name string) view.Need {
		return view.Need{Kind: view.Pods, Namespace: ns, Name: name, Detail: view.Full}
	}
	labelled := func(ns, sel string) view.Need {
		return view.Need{Kind: view.Pods, Namespace: ns, Selector: sel, Detail: view.Full}
	}
	spread := func(n int) (out []view.Need) {
		for i := range n {
			out = append(out, one(string(rune('A'+i)), string(rune('a'+i))))
		}
		return out
	}
	four := []view.Need{one("shop", "a"), one("shop", "b"), labelled("shop", "x=1"), labelled("shop", "x=2")}
	tests := []struct {
		name                   string
		needs, running, inVain []view.Need
		want                   []view.Need
	}{
		{"nothing", nil, nil, nil, nil},
		{"few", four, nil, nil, four},
		{"many in one namespace", append(slices.Clone(four), one("shop", "c")), nil, nil, []view.Need{whole("shop")}},
		{"many with those running", []view.Need{one("shop", "c")}, four, nil, []view.Need{whole("shop")}},
		{"the same again", []view.Need{four[0]}, four, nil, []view.Need{four[0]}},
		{"forbidden", append(slices.Clone(four), one("shop", "c")), nil, []view.Need{whole("shop")}, append(slices.Clone(four), one("shop", "c"))},
		{"full covers metadata", []view.Need{bare("shop"), whole("shop"), whole("shop")}, nil, nil, []view.Need{whole("shop")}},
		{"metadata does not cover full", []view.Need{bare("shop"), one("shop", "a")}, nil, nil, []view.Need{bare("shop"), one("shop", "a")}},
		{"four namespaces", []view.Need{whole("a"), whole("b"), whole("c"), whole("d")}, nil, nil, []view.Need{whole("a"), whole("b"), whole("c"), whole("d")}},
		{"five namespaces", []view.Need{whole("a"), whole("b"), whole("c"), whole("d"), whole("e")}, nil, nil, []view.Need{whole("")}},
		{"five namespaces, forbidden", []view.Need{whole("a"), whole("b"), whole("c"), whole("d"), whole("e")}, nil, []view.Need{whole("")}, []view.Need{whole("a"), whole("b"), whole("c"), whole("d"), whole("e")}},
		{"one label in five namespaces", []view.Need{labelled("a", "x"), labelled("b", "x"), labelled("c", "x"), labelled("d", "x"), labelled("e", "x")}, nil, nil, []view.Need{labelled("", "x")}},
		{"scattered", spread(32), nil, nil, spread(32)},
		{"widely scattered", spread(33), nil, nil, []view.Need{whole("")}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			blocked := func(n view.Need) bool {
				return slices.ContainsFunc(tt.inVain, func(m view.Need) bool { return m.ID() == n.ID() })
			}
			got := coalesce(tt.needs, tt.running, blocked)
			if !slices.EqualFunc(got, tt.want, func(a, b view.Need) bool { return a.ID() == b.ID() }) {
				t.Errorf("got %v\nwant %v", got, tt.want)
			}
		})
	}
}
