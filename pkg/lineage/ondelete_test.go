package lineage

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// drawFamily is a namespace of ReplicaSets that own each other in any way:
// chains, diamonds, circles, absent owners and owners of unknown kinds.
func drawFamily(t *rapid.T) *view.View {
	b := view.NewBuilder(time.Unix(0, 0))
	for _, k := range view.Kinds() {
		b.Reads(view.Need{Kind: k, Detail: view.Full}, nil)
	}
	n := rapid.IntRange(1, 8).Draw(t, "objects")
	for i := range n {
		name := fmt.Sprintf("s-%d", i)
		rs := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name)}}
		for range rapid.IntRange(0, 3).Draw(t, "references") {
			owner := fmt.Sprintf("s-%d", rapid.IntRange(0, n).Draw(t, "owner")) // the last is absent
			rs.OwnerReferences = append(rs.OwnerReferences, metav1.OwnerReference{
				APIVersion: rapid.SampledFrom([]string{"apps/v1", "apps/v1", "apps/v1", "apps/v1", "gone/v1", "unread/v1"}).Draw(t, "version"),
				Kind:       "ReplicaSet", Name: owner, UID: types.UID(owner), BlockOwnerDeletion: new(rapid.Bool().Draw(t, "blocks")),
			})
		}
		rs.Finalizers = rapid.SampledFrom([][]string{nil, nil, {metav1.FinalizerOrphanDependents}, {metav1.FinalizerDeleteDependents}}).Draw(t, "finalizers")
		if rapid.IntRange(0, 4).Draw(t, "deleting") == 0 {
			rs.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}
		}
		b.Add(view.ReplicaSets, rs)
	}
	return b.View()
}

func servedHere(apiVersion, kind string) (view.Kind, error) {
	if apiVersion == "gone/v1" {
		return view.Kind{}, ErrNotServed
	}
	return Held(apiVersion, kind)
}

// plain spreads a deletion as simply as can be: it decides about a dependent
// anew whenever an owner is taken.
type plain struct {
	*walker
	out         *OnDelete
	taken, seen map[types.UID]bool
}

func (p *plain) spread(owner object, orphan bool) {
	for _, dep := range p.below[owner.GetUID()] {
		if orphan && dep.GetUID() == owner.GetUID() {
			continue
		}
		if orphan {
			p.out.Orphans = append(p.out.Orphans, Effect{Object: dep.ref(), Owner: owner.ref()})
		} else if !p.seen[dep.GetUID()] {
			p.collect(owner, dep)
		}
	}
}

func (p *plain) collect(owner, dep object) {
	links := slices.Clone(p.linksOf(dep))
	e := Effect{Object: dep.ref(), Owner: owner.ref()}
	for i := range links {
		if !p.taken[types.UID(links[i].Owner.UID)] {
			continue
		}
		e.Blocks = e.Blocks || links[i].Blocks && p.OnDelete == Foreground
		if links[i].State != Unsettled { // the collector can't look such an owner up, gone or not
			links[i].State = gone[p.OnDelete]
		}
	}
	for _, below := range p.below[dep.GetUID()] { // in a circle, or what looks like one
		waits := below.GetDeletionTimestamp() != nil && slices.Contains(below.GetFinalizers(), metav1.FinalizerDeleteDependents)
		e.Blocks = e.Blocks && (dep.GetDeletionTimestamp() != nil || !waits && below.GetName() != "s-0")
	}
	ruling, acts := Collect(dep.Object, links)
	if !acts {
		ruling = decision.Ruled(OwnerNotRead)
	}
	e.Rule = ruling.Rule
	p.out.Keeps = slices.DeleteFunc(p.out.Keeps, func(k Effect) bool { return k.Object == e.Object })
	if ruling.Rule != Collected && ruling.Rule != AlreadyDeleting {
		p.out.Keeps = append(p.out.Keeps, e)
		return
	}
	p.seen[dep.GetUID()], p.taken[dep.GetUID()] = true, true
	p.out.Takes = append(p.out.Takes, e)
	p.spread(dep, ruling.Facts.Str("policy") == "Orphan")
}

// bare drops what the plain way does not tell.
func bare(all []Effect) []string {
	var out []string
	for _, e := range all {
		out = append(out, fmt.Sprintln(e.Object, e.Owner, e.Blocks, e.Rule))
	}
	return out
}

func TestDeletionSpreadsAsDecidedAnew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawFamily(t)
		q := Query{
			Target: view.Target{Kind: view.ReplicaSets, Namespace: "shop", Name: "s-0"}, Types: []view.Kind{view.ReplicaSets},
			OnDelete: rapid.SampledFrom(Policies).Draw(t, "policy"), Served: servedHere,
		}
		g, err := Ask(v.Reader(), q)
		if err != nil {
			t.Fatal(err)
		}
		r := v.Reader()
		target := object{view.ReplicaSets, r.All(view.ReplicaSets)[0]}
		w := &walker{Query: q, r: r, checker: newChecker(r, servedHere), links: map[types.UID][]Link{}, below: map[types.UID][]object{}, named: map[ownerName][]types.UID{}}
		w.index(target)
		uid := target.GetUID()
		p := &plain{w, &OnDelete{}, map[types.UID]bool{uid: true}, map[types.UID]bool{uid: true}}
		p.spread(target, q.OnDelete == Orphan)
		for i := range g.OnDelete.Orphans {
			g.OnDelete.Orphans[i].Rule = ""
		}
		for what, pair := range map[string][2][]Effect{
			"taken": {g.OnDelete.Takes, p.out.Takes}, "kept": {g.OnDelete.Keeps, p.out.Keeps}, "orphaned": {g.OnDelete.Orphans, p.out.Orphans},
		} {
			if diff := cmp.Diff(bare(pair[1]), bare(pair[0])); diff != "" {
				t.Fatalf("%s (-plain +found):\n%s", what, diff)
			}
		}
	})
}

// chain is ReplicaSets, each with its owners, that block their deletion. Those in
// deleting are being deleted in the foreground.
func chain(owners map[string][]string, deleting ...string) *view.View {
	b := view.NewBuilder(time.Unix(0, 0))
	for _, k := range view.Kinds() {
		b.Reads(view.Need{Kind: k, Detail: view.Full}, nil)
	}
	for name, of := range owners {
		rs := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name)}}
		for _, owner := range of {
			rs.OwnerReferences = append(rs.OwnerReferences, metav1.OwnerReference{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: owner, UID: types.UID(owner), BlockOwnerDeletion: new(true)})
		}
		if slices.Contains(deleting, name) {
			rs.DeletionTimestamp, rs.Finalizers = &metav1.Time{Time: time.Unix(1, 0)}, []string{metav1.FinalizerDeleteDependents}
		}
		b.Add(view.ReplicaSets, rs)
	}
	return b.View()
}

// The collector breaks a circle of owners where it closes, unless all of them are
// being deleted already.
func TestForegroundDeletionInACircle(t *testing.T) {
	for _, c := range []struct {
		name     string
		owners   map[string][]string
		deleting []string
		waits    string // what an owner waits for
		caveat   string
	}{
		{"chain", map[string][]string{"a": nil, "b": {"a"}, "c": {"b"}}, nil, "b c", ""},
		{"two", map[string][]string{"a": {"b"}, "b": {"a"}}, nil, "", ""},
		{"three", map[string][]string{"a": {"c"}, "b": {"a"}, "c": {"b"}}, nil, "b", ""},
		{"like one", map[string][]string{"a": nil, "b": {"a"}, "c": {"b"}}, []string{"c"}, "c", ""},
		{"two, one deleting", map[string][]string{"a": {"b"}, "b": {"a"}}, []string{"b"}, "b",
			"replicaset/a and replicaset/b wait for each other: both stay until somebody removes an ownerReference between them or the finalizer foregroundDeletion"},
		{"three, one deleting", map[string][]string{"a": {"c"}, "b": {"a"}, "c": {"b"}}, []string{"c"}, "c", ""},
		{"itself", map[string][]string{"a": {"a"}}, nil, "",
			"replicaset/a blocks its own deletion: it stays until somebody removes that ownerReference or the finalizer foregroundDeletion"},
	} {
		g, err := Ask(chain(c.owners, c.deleting...).Reader(), Query{Target: view.Target{Kind: view.ReplicaSets, Namespace: "shop", Name: "a"}, Types: []view.Kind{view.ReplicaSets}, Served: servedHere, OnDelete: Foreground})
		if err != nil {
			t.Fatal(err)
		}
		var waits, caveats []string
		for _, e := range g.OnDelete.Takes {
			if e.Blocks {
				waits = append(waits, e.Object.Name)
			}
		}
		for _, caveat := range g.Caveats {
			if caveat.Code == "WaitsForItself" {
				caveats = append(caveats, caveat.Message)
			}
		}
		if len(g.OnDelete.Takes) != len(c.owners)-1 {
			t.Errorf("%s: takes %v", c.name, g.OnDelete.Takes)
		}
		if got := strings.Join(waits, " "); got != c.waits {
			t.Errorf("%s: waits for %q, want %q", c.name, got, c.waits)
		}
		if got := strings.Join(caveats, "; "); got != c.caveat {
			t.Errorf("%s: caveats %q, want %q", c.name, got, c.caveat)
		}
	}
}

// What owns itself is neither orphaned by its own deletion nor remade by itself,
// and in the foreground it waits for itself.
func TestDeletionOfWhatOwnsItself(t *testing.T) {
	for _, c := range []struct {
		policy Policy
		blocks bool
		caveat string
	}{
		{Background, true, ""}, {Orphan, true, ""}, {Foreground, false, ""}, {Foreground, true, "WaitsForItself"},
	} {
		b := view.NewBuilder(time.Unix(0, 0))
		for _, k := range view.Kinds() {
			b.Reads(view.Need{Kind: k, Detail: view.Full}, nil)
		}
		b.Add(view.ReplicaSets, &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "x", UID: "x", OwnerReferences: []metav1.OwnerReference{
			{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "x", UID: "x", Controller: new(true), BlockOwnerDeletion: new(c.blocks)},
		}}})
		g, err := Ask(b.View().Reader(), Query{Target: view.Target{Kind: view.ReplicaSets, Namespace: "shop", Name: "x"}, Types: []view.Kind{view.ReplicaSets}, Served: servedHere, OnDelete: c.policy})
		if err != nil {
			t.Fatal(err)
		}
		var codes string
		for _, caveat := range g.Caveats {
			codes += caveat.Code
		}
		if d := g.OnDelete; len(d.Takes)+len(d.Keeps)+len(d.Orphans) > 0 || codes != c.caveat {
			t.Errorf("%s, blocks %t: %+v, caveats %q, want %q", c.policy, c.blocks, d, codes, c.caveat)
		}
	}
}
