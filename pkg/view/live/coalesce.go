package live

import (
	"iter"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// How many narrow reads are cheaper than one wide read. Each is a request and,
// when watched, a stream that the server holds open.
const (
	fewPerNamespace = 4  // narrow needs of one kind in one namespace
	fewNamespaces   = 4  // namespaces of which the same is asked
	fewScattered    = 32 // narrow needs of one kind over all namespaces

	// So long is a selector at most that is made of several, in bytes: it is a part of an address.
	longestUnion = 4096

	// So many times more of Pods that a selector picks, and that are read whole: those that
	// it leaves out cost more than requests.
	picked = 4
)

// coalesce replaces many narrow needs by one wide need where that is cheaper,
// counting those already running, and drops needs that others cover. blocked
// tells the wide needs that were tried in vain.
func coalesce(needs, running []view.Need, blocked func(view.Need) bool) []view.Need {
	for _, rule := range []widening{
		{byLabel(needs), fewPerNamespace},
		{ofAnyObject, fewPerNamespace},
		{wholeNamespace, fewPerNamespace},
		{sameEverywhere, fewNamespaces},
		{ofAnyEverywhere, fewScattered},
		{allNamespaces, fewScattered},
	} {
		needs = rule.apply(needs, running, blocked)
	}
	return outermost(needs)
}

// widening puts the need that wide makes of several others in their place, if
// there are more than few of them.
type widening struct {
	wide func(view.Need) (view.Need, bool)
	few  int
}

func (w widening) apply(needs, running []view.Need, blocked func(view.Need) bool) []view.Need {
	members := map[string]map[string]bool{}
	for _, list := range [][]view.Need{running, needs} {
		for _, n := range list {
			if wide, ok := w.wide(n); ok {
				add(members, wide.ID(), n.ID())
			}
		}
	}
	out := make([]view.Need, 0, len(needs))
	for _, n := range needs {
		if wide, ok := w.wide(n); ok && len(members[wide.ID()]) > w.fewLike(n, wide) && !blocked(wide) {
			n = wide
		}
		out = append(out, n)
	}
	return out
}

// fewLike is how many needs like n are few, in place of which wide would be read.
func (w widening) fewLike(n, wide view.Need) int {
	if n.Kind.Same(view.Pods) && n.Detail == view.Full && n.Selector != "" && wide.Selector == "" {
		return w.few * picked
	}
	return w.few
}

func add(sets map[string]map[string]bool, key, member string) {
	if sets[key] == nil {
		sets[key] = map[string]bool{}
	}
	sets[key][member] = true
}

// byLabel asks by one selector for what many pick in one place by values of one label:
// for app in (…) in place of a hundred values of app.
func byLabel(needs []view.Need) func(view.Need) (view.Need, bool) {
	picks := map[pick]sets.Set[string]{}
	for _, n := range needs {
		for of, values := range picksOf(n) {
			if picks[of] == nil {
				picks[of] = sets.New[string]()
			}
			picks[of].Insert(values...)
		}
	}
	return func(n view.Need) (view.Need, bool) {
		wide, ok := wholeNamespace(n)
		var values sets.Set[string]
		for of := range picksOf(n) {
			if all := picks[of]; all.Len() > values.Len() || all.Len() == values.Len() && wide.Selector > of.label {
				values, wide.Selector = all, of.label
			}
		}
		wide.Selector += " in (" + strings.Join(sets.List(values), ",") + ")"
		return wide, ok && values.Len() > 1 && len(wide.Selector) <= longestUnion
	}
}

// pick is a label by whose values objects of a namespace, or of all, are asked for.
type pick struct{ whole, label string }

func picksOf(n view.Need) iter.Seq2[pick, []string] {
	return func(yield func(pick, []string) bool) {
		whole, _ := wholeNamespace(n)
		for _, term := range view.Terms(n.Selector) {
			if label, values := view.Values(term); len(values) > 0 && !yield(pick{whole.ID(), label}, values) {
				return
			}
		}
	}
}

// ofAnyObject asks for the events of any object in place of those of a named one, of the
// same kind and reason: there may be a hundred times as many of others.
func ofAnyObject(n view.Need) (view.Need, bool) {
	terms := strings.Split(n.Fields, ",")
	wide := slices.DeleteFunc(slices.Clone(terms), func(term string) bool { return strings.HasPrefix(term, "involvedObject.name=") })
	n.Fields = strings.Join(wide, ",")
	return n, len(wide) > 0 && len(wide) < len(terms)
}

func ofAnyEverywhere(n view.Need) (view.Need, bool) {
	wide, ok := ofAnyObject(n)
	wide.Namespace = ""
	return wide, ok && n.Namespace != ""
}

func isNarrow(n view.Need) bool { return n.Name != "" || n.Selector != "" || n.Fields != "" }

func wholeNamespace(n view.Need) (view.Need, bool) {
	return view.Need{Kind: n.Kind, Namespace: n.Namespace, Detail: n.Detail, IfMissing: n.IfMissing}, isNarrow(n)
}

func sameEverywhere(n view.Need) (view.Need, bool) {
	ok := n.Namespace != "" && n.Name == ""
	n.Namespace = ""
	return n, ok
}

func allNamespaces(n view.Need) (view.Need, bool) {
	return view.Need{Kind: n.Kind, Detail: n.Detail, IfMissing: n.IfMissing}, isNarrow(n) && n.Namespace != ""
}

// outermost drops needs that another one covers, and repetitions.
func outermost(needs []view.Need) []view.Need {
	var out []view.Need
	byKind := map[schema.GroupKind][]int{}
	for i, n := range needs {
		byKind[n.Kind.GroupKind()] = append(byKind[n.Kind.GroupKind()], i)
	}
	for i, n := range needs {
		if !coveredByOther(needs, i, byKind[n.Kind.GroupKind()]) {
			out = append(out, n)
		}
	}
	return out
}

// coveredByOther reports whether needs[i] adds nothing to the others of its kind.
// Of two that ask for the same, the first stays.
func coveredByOther(needs []view.Need, i int, ofKind []int) bool {
	for _, j := range ofKind {
		other := needs[j]
		if j != i && other.Covers(needs[i]) && (j < i || !needs[i].Covers(other)) {
			return true
		}
	}
	return false
}
