package lineage

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Policy is how an object is deleted.
type Policy string

// The policies of kubectl delete --cascade.
const (
	// Background: the owner is deleted first, then its dependents.
	Background Policy = "background"
	// Foreground: the dependents are deleted first.
	Foreground Policy = "foreground"
	// Orphan: the dependents stay.
	Orphan Policy = "orphan"
)

// Policies lists them.
var Policies = []Policy{Background, Foreground, Orphan}

// OnDelete is what a deletion of the target does.
type OnDelete struct {
	// Policy is the value of --cascade.
	Policy Policy `json:"policy"`
	// Takes are the dependents that are deleted as well.
	Takes []Effect `json:"deletes"`
	// Keeps are those that another owner keeps.
	Keeps []Effect `json:"keeps"`
	// Orphans are those that stay without the owner that they had.
	Orphans []Effect `json:"orphans"`
	// also is what is deleted whatever it refers to, empty for nothing.
	also string
}

// Effect is what a deletion does to one dependent.
type Effect struct {
	// Object is the dependent.
	Object decision.Ref `json:"object"`
	// Owner is the object that it depended on.
	Owner decision.Ref `json:"owner"`
	// Blocks is true when the owner waits for it.
	Blocks bool `json:"blocks,omitempty"`
	decision.Ruling
}

// deletion is the spread of a deletion over dependents.
type deletion struct {
	*walker
	out *OnDelete
	// taken numbers the objects that are deleted, in their order; kept are the
	// dependents that an owner was taken from and that stay so far.
	taken map[types.UID]int
	kept  map[types.UID]*kept
	// holders are the owners, not taken so far, that keep each dependent.
	holders map[types.UID]map[types.UID]bool
}

// kept is a dependent that lost an owner.
type kept struct {
	dep, owner object
	// turn is how many objects were taken when it lost the owner, and order the
	// place of that among all such losses.
	turn, order int
}

// onDelete follows the garbage collector from the target down.
func (w *walker) onDelete(target object) *OnDelete {
	d := &deletion{
		walker: w, out: &OnDelete{Policy: w.OnDelete, Takes: []Effect{}, Keeps: []Effect{}, Orphans: []Effect{}},
		taken: map[types.UID]int{}, kept: map[types.UID]*kept{}, holders: map[types.UID]map[types.UID]bool{},
	}
	if w.OnDelete == Orphan {
		d.free(target)
	} else {
		d.take(target)
		d.spread(target)
		d.keep()
		w.stuck(target)
	}
	w.remade(target)
	if slices.ContainsFunc(d.out.Orphans, func(e Effect) bool { return e.Rule == AdoptedNext || e.Rule == AdoptedByOneOf }) {
		w.g.Caveats = append(w.g.Caveats, decision.Caveat{Code: "AdopterActs", Message: "what adopts them counts them, and may delete or scale down what is then too many"})
	}
	if d.out.also = whatever(target.kind); d.out.also != "" {
		w.g.Caveats = append(w.g.Caveats, decision.Caveat{Code: "NotListed", Message: "listed is what ownerReferences lead to, and not " + d.out.also})
	}
	return d.out
}

// remade warns that the controller of the target may make another in its place.
func (w *walker) remade(target object) {
	if maker := w.checker.makerOf(target.Object); maker != nil {
		w.g.Caveats = append(w.g.Caveats, decision.Caveat{Code: "MayBeRemade", Message: fmt.Sprintf(
			"%s controls %s and may make another in its place, which may adopt what is orphaned", maker.Owner, w.g.Target)})
	}
}

// loss is a dependent that loses an owner.
type loss struct{ owner, dep object }

// losses are those of an owner's dependents, the last first.
func (d *deletion) losses(owner object) []loss {
	below := d.below[owner.GetUID()]
	out := make([]loss, 0, len(below))
	for _, dep := range slices.Backward(below) {
		out = append(out, loss{owner, dep})
	}
	return out
}

// spread goes over all that depends on an object that is deleted.
func (d *deletion) spread(target object) {
	losses := d.losses(target)
	for order := 1; len(losses) > 0; order++ {
		l := losses[len(losses)-1]
		losses = losses[:len(losses)-1]
		if d.taken[l.dep.GetUID()] > 0 {
			continue
		}
		ruling, gone := d.collect(l, order)
		switch {
		case !gone:
		case ruling.Facts.Str(KeyPolicy) == "Orphan":
			d.free(l.dep)
		default:
			losses = append(losses, d.losses(l.dep)...)
		}
	}
}

// collect decides on a dependent as the collector does once an owner is gone.
// While another owner keeps it, there is nothing to decide yet.
func (d *deletion) collect(l loss, order int) (ruling decision.Ruling, gone bool) {
	uid := l.dep.GetUID()
	k := d.kept[uid]
	if k == nil {
		k = &kept{dep: l.dep}
		d.kept[uid], d.holders[uid] = k, d.holdersOf(l.dep)
	}
	k.owner, k.turn, k.order = l.owner, len(d.taken), order
	if len(d.holders[uid]) > 0 {
		return ruling, false
	}
	e := d.effect(k)
	delete(d.kept, uid)
	d.take(l.dep)
	d.out.Takes = append(d.out.Takes, e)
	return e.Ruling, true
}

// take notes that an object is deleted, and keeps none of its dependents.
func (d *deletion) take(o object) {
	d.taken[o.GetUID()] = len(d.taken) + 1
	for _, dep := range d.below[o.GetUID()] {
		delete(d.holders[dep.GetUID()], o.GetUID())
	}
}

// holdersOf are the owners that keep a dependent when it loses the first one.
// What is being deleted is kept only by an owner of which nothing is known.
func (d *deletion) holdersOf(o object) map[types.UID]bool {
	states := []State{Solid, Unread}
	if o.GetDeletionTimestamp() != nil {
		states = []State{Unread}
	}
	owners := map[types.UID]bool{}
	for _, l := range d.linksOf(o) {
		if l.State == Unsettled && o.GetDeletionTimestamp() == nil {
			owners[""] = true // whichever are deleted
		}
		if uid := types.UID(l.Owner.UID); d.taken[uid] == 0 && slices.Contains(states, l.State) {
			owners[uid] = true
		}
	}
	return owners
}

// gone is the state of an owner that is deleted.
var gone = map[Policy]State{Background: Dangling, Foreground: Waiting}

// effect is what becomes of a dependent once the owners are gone that were
// taken up to its turn.
func (d *deletion) effect(k *kept) Effect {
	e := Effect{Object: k.dep.ref(), Owner: k.owner.ref()}
	links := slices.Clone(d.linksOf(k.dep))
	for i := range links {
		if turn := d.taken[types.UID(links[i].Owner.UID)]; turn > 0 && turn <= k.turn {
			if links[i].State != Unsettled {
				links[i].State = gone[d.OnDelete]
			}
			e.Blocks = e.Blocks || links[i].Blocks && d.OnDelete == Foreground
		}
	}
	e.Blocks = e.Blocks && !d.unblocked(k.dep)
	var acts bool
	if e.Ruling, acts = Collect(k.dep.Object, links); !acts {
		e.Ruling = decision.Ruled(OwnerNotRead, decision.F(keyError, "another owner could not be read"))
	}
	return e
}

// keep lists the dependents that stay, in the order in which they lost their
// last owner.
func (d *deletion) keep() {
	all := slices.SortedFunc(maps.Values(d.kept), func(a, b *kept) int { return a.order - b.order })
	for _, k := range all {
		d.out.Keeps = append(d.out.Keeps, d.effect(k))
	}
}

// free takes the owner's reference out of its dependents (orphanDependents), and
// asks who would adopt what is left: another controller, or one that is made in the place of
// the owner.
func (d *deletion) free(owner object) {
	maker := d.checker.makerOf(owner.Object)
	if maker != nil && d.taken[types.UID(maker.Owner.UID)] > 0 {
		maker = nil
	}
	for _, dep := range d.below[owner.GetUID()] {
		if dep.GetUID() == owner.GetUID() {
			continue // it is what is deleted
		}
		e := Effect{Object: dep.ref(), Owner: owner.ref(), Ruling: decision.Ruled(OrphanedFree)}
		rest := object{dep.kind, ownership.Freed(dep.Object, owner.GetUID())}
		if by := d.afterwards(rest, owner.ref(), maker); by != nil {
			e.Ruling = *by
		}
		d.out.Orphans = append(d.out.Orphans, e)
	}
}

// whatever says what is deleted with an object of a kind, whatever it refers to, under each
// policy: namespaced_resources_deleter.go Delete, podgc/gc_controller.go gcOrphaned, which
// waits for quarantineTime, and crd_finalizer.go deleteInstances (v1.37.1). It is empty for
// nothing.
func whatever(k view.Kind) string {
	switch k.GroupResource() {
	case view.Namespaces.Resource:
		return "all objects in it"
	case view.Nodes.Resource:
		return "the Pods on it, 40s later or more"
	case "customresourcedefinitions.apiextensions.k8s.io":
		return "all objects of the kind that it defines"
	}
	return ""
}

// answer says in one sentence what the deletion takes along.
func (d *OnDelete) answer(target decision.Ref) string {
	var parts []string
	add := func(n int, text string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf(text, n))
		}
	}
	blocking, undecided, waiting := 0, 0, 0
	for _, e := range d.Takes {
		if e.Blocks {
			blocking++
		}
	}
	for _, e := range d.Keeps {
		if e.Rule == CollectorStuck {
			undecided++
			if e.Blocks {
				waiting++
			}
		}
	}
	add(len(d.Takes), "also deletes %d")
	add(blocking, "waits for %d of them")
	add(len(d.Keeps)-undecided, "leaves %d that others own")
	add(undecided, "leaves %d that the garbage collector can't decide on")
	add(waiting, "waits for %d of these for ever")
	add(len(d.Orphans), "orphans %d")
	if d.also != "" {
		parts = append(parts, "also deletes "+d.also)
	}
	if len(parts) == 0 {
		return fmt.Sprintf("Deleting %s (%s) deletes nothing else.", target, d.Policy)
	}
	return fmt.Sprintf("Deleting %s (%s) %s.", target, d.Policy, strings.Join(parts, ", "))
}
