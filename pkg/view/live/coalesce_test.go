package live

import (
	"fmt"
	"slices"
	"strings"
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
	events := func(ns, fields string) view.Need { return view.Need{Kind: view.Events, Namespace: ns, Fields: fields} }
	refused := func(ns string, names ...string) (out []view.Need) {
		for _, name := range names {
			out = append(out, events(ns, "involvedObject.kind=ReplicaSet,involvedObject.name="+name+",reason=FailedCreate"))
		}
		return out
	}
	scattered := func(n int) (out []view.Need) {
		for i := range n {
			out = append(out, refused(string(rune('A'+i)), string(rune('a'+i)))...)
		}
		return out
	}
	picked := func(n int) (out []view.Need) {
		for i := range n {
			out = append(out, labelled(fmt.Sprintf("ns-%d", i%20), fmt.Sprintf("app-%d", i)))
		}
		return out
	}
	anyInShop := func(n int) (out []view.Need) {
		for _, need := range picked(n) {
			out = append(out, labelled("shop", need.Selector))
		}
		return out
	}
	inShop := func(selectors ...string) (out []view.Need) {
		for _, selector := range selectors {
			out = append(out, labelled("shop", selector))
		}
		return out
	}
	valued := func(n, long int) (out []string) {
		for i := range n {
			out = append(out, fmt.Sprintf("app=%0*d", long, i))
		}
		return out
	}
	sets := func(needs []view.Need) (out []view.Need) {
		for _, n := range needs {
			n.Kind = view.ReplicaSets
			out = append(out, n)
		}
		return out
	}
	const failed = "involvedObject.kind=ReplicaSet,reason=FailedCreate"
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
		{"events of few", refused("shop", "a", "b", "c", "d"), nil, nil, refused("shop", "a", "b", "c", "d")},
		{"events of many", append(refused("shop", "a", "b", "c", "d", "e"), events("shop", "involvedObject.kind=Pod")), nil, nil, []view.Need{events("shop", failed), events("shop", "involvedObject.kind=Pod")}},
		{"events of many, forbidden", refused("shop", "a", "b", "c", "d", "e"), nil, []view.Need{events("shop", failed)}, []view.Need{events("shop", "")}},
		{"events of another reason", append(refused("shop", "a", "b", "c", "d", "e"), events("shop", "involvedObject.kind=ReplicaSet,involvedObject.name=a")), nil, nil, []view.Need{events("shop", failed), events("shop", "involvedObject.kind=ReplicaSet,involvedObject.name=a")}},
		{"all events of a kind", append(refused("shop", "a"), events("shop", "involvedObject.kind=ReplicaSet")), nil, nil, []view.Need{events("shop", "involvedObject.kind=ReplicaSet")}},
		{"events of scattered ones", scattered(33), nil, nil, []view.Need{events("", failed)}},
		{"Pods of many selectors", anyInShop(16), nil, nil, anyInShop(16)},
		{"Pods of too many selectors", anyInShop(17), nil, nil, []view.Need{whole("shop")}},
		{"Pods of many selectors, scattered", picked(128), nil, nil, picked(128)},
		{"Pods of too many selectors, scattered", picked(129), nil, nil, []view.Need{whole("")}},
		{"sets of many selectors", sets(anyInShop(5)), nil, nil, sets([]view.Need{whole("shop")})},
		{"Pods of four values", inShop("app=a", "app=b", "app=c", "app=d"), nil, nil, inShop("app=a", "app=b", "app=c", "app=d")},
		{"Pods of five values", inShop("app=a", "app=b", "app=c", "app=d", "app=e"), nil, nil, inShop("app in (a,b,c,d,e)")},
		{"Pods of values with those running", inShop("app=a", "app=e"), inShop("app=b", "app=c", "app=d"), nil, inShop("app in (a,e)")},
		{"Pods of values and more", inShop("app=a,hash=1", "app=b,tier=x", "app in (c,d),tier=x", "app=e,x!=y", "app=f,tier=x", "app!=a"), nil, nil, inShop("app in (a,b,c,d,e,f)", "app!=a")},
		{"Pods of values, forbidden", inShop("app=a", "app=b", "app=c", "app=d", "app=e"), nil, inShop("app in (a,b,c,d,e)"), inShop("app=a", "app=b", "app=c", "app=d", "app=e")},
		{"Pods of values in two namespaces", []view.Need{labelled("a", "x=1"), labelled("b", "x=2"), labelled("a", "x=3"), labelled("b", "x=4"), labelled("a", "x=5")}, nil, nil, []view.Need{labelled("a", "x=1"), labelled("b", "x=2"), labelled("a", "x=3"), labelled("b", "x=4"), labelled("a", "x=5")}},
		{"Pods of values everywhere", []view.Need{labelled("", "x=1"), labelled("", "x=2"), labelled("", "x=3"), labelled("", "x=4"), labelled("", "x=5")}, nil, nil, []view.Need{labelled("", "x in (1,2,3,4,5)")}},
		{"Pods of values too long for an address", inShop(valued(100, 60)...), nil, nil, []view.Need{whole("shop")}},
		{"Pods of long values", inShop(valued(60, 60)...), nil, nil, inShop("app in (" + strings.ReplaceAll(strings.Join(valued(60, 60), ","), "app=", "") + ")")},
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
