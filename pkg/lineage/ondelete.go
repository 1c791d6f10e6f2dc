package lineage

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
)

// Policy is how an object is deleted.
type Policy string

// The policies of kubectl delete --cascade.
const (
	Background Policy = "background"
	Foreground Policy = "foreground"
	Orphan     Policy = "orphan"
)

// Policies lists them.
var Policies = []Policy{Background, Foreground, Orphan}

// OnDelete foretells what a deletion of the target would take along.
type OnDelete struct {
	Policy Policy `json:"policy"`
	// Takes go as well, Keeps lose a reference and stay, Orphans stay without
	// the owner that they had.
	Takes   []Effect `json:"takes"`
	Keeps   []Effect `json:"keeps"`
	Orphans []Effect `json:"orphans"`
}

// Effect is what a deletion does to one dependent.
type Effect struct {
	Object decision.Ref `json:"object"`
	// Owner is the one it depended on.
	Owner decision.Ref `json:"owner"`
	// Blocks says that the owner waits for it.
	Blocks bool `json:"blocks,omitempty"`
	decision.Ruling
}

// deletion is the spread of a deletion over dependents.
type deletion struct {
	*walker
	out   *OnDelete
	taken map[types.UID]bool
	seen  map[types.UID]bool
}

// onDelete follows the garbage collector from the target down.
func (w *walker) onDelete(target object) *OnDelete {
	d := &deletion{w, &OnDelete{Policy: w.OnDelete, Takes: []Effect{}, Keeps: []Effect{}, Orphans: []Effect{}}, map[types.UID]bool{target.GetUID(): true}, map[types.UID]bool{target.GetUID(): true}}
	d.spread(target, w.OnDelete == Orphan)
	w.remade(target)
	return d.out
}

// remade warns that the controller of the target may make another in its place.
func (w *walker) remade(target object) {
	for _, l := range w.linksOf(target) {
		if l.Controller && l.State == Solid && !l.OwnerDeleting {
			w.g.Caveats = append(w.g.Caveats, decision.Caveat{Code: "MayBeRemade", Message: fmt.Sprintf(
				"%s controls %s and may make another in its place, which may adopt what is orphaned", l.Owner, w.g.Target)})
		}
	}
}

// spread goes over the dependents of an object that is deleted.
func (d *deletion) spread(owner object, orphan bool) {
	for _, dep := range d.below[owner.GetUID()] {
		switch {
		case orphan:
			d.free(owner, dep)
		case !d.seen[dep.GetUID()]:
			d.collect(owner, dep)
		}
	}
}

// collect decides on a dependent as the collector does once its owner is gone.
func (d *deletion) collect(owner, dep object) {
	links := slices.Clone(d.linksOf(dep))
	blocks := false
	for i := range links {
		if d.taken[types.UID(links[i].Owner.UID)] {
			links[i].State = Dangling
			blocks = blocks || links[i].Blocks && d.OnDelete == Foreground
		}
	}
	ruling, acts := Collect(dep.Object, links)
	if !acts {
		ruling = decision.Ruled(OwnerNotRead, decision.F("error", "another owner could not be read"))
	}
	e := Effect{Object: dep.ref(), Owner: owner.ref(), Blocks: blocks, Ruling: ruling}
	d.seen[dep.GetUID()] = true
	if ruling.Rule != Collected && ruling.Rule != AlreadyDeleting {
		d.seen[dep.GetUID()] = false // another owner of it may go as well
		d.keep(e)
		return
	}
	d.unkeep(e.Object)
	d.taken[dep.GetUID()] = true
	d.out.Takes = append(d.out.Takes, e)
	d.spread(dep, ruling.Facts.Str("policy") == "Orphan")
}

func (d *deletion) keep(e Effect) {
	d.unkeep(e.Object)
	d.out.Keeps = append(d.out.Keeps, e)
}

func (d *deletion) unkeep(ref decision.Ref) {
	d.out.Keeps = slices.DeleteFunc(d.out.Keeps, func(e Effect) bool { return e.Object == ref })
}

// free takes the owner's reference out of a dependent (orphanDependents), and
// asks who would adopt what is left.
func (d *deletion) free(owner, dep object) {
	e := Effect{Object: dep.ref(), Owner: owner.ref(), Ruling: decision.Ruled(OrphanedFree)}
	rest := object{dep.kind, ownership.Without(dep.Object, owner.GetUID())}
	if metav1.GetControllerOfNoCopy(rest.Object) == nil && len(ownership.ClaimerKinds(dep.kind)) > 0 {
		if ruling := adoption(d.adopters(rest, string(owner.GetUID()))); ruling != nil {
			e.Ruling = *ruling
		}
	}
	d.out.Orphans = append(d.out.Orphans, e)
}

// answer says in one sentence what the deletion takes along.
func (d *OnDelete) answer(target decision.Ref) string {
	var parts []string
	add := func(n int, text string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf(text, n))
		}
	}
	blocking := 0
	for _, e := range d.Takes {
		if e.Blocks {
			blocking++
		}
	}
	add(len(d.Takes), "takes %d along")
	add(blocking, "waits for %d of them")
	add(len(d.Keeps), "leaves %d that others own")
	add(len(d.Orphans), "orphans %d")
	if len(parts) == 0 {
		return fmt.Sprintf("Deleting %s (%s) takes nothing along.", target, d.Policy)
	}
	return fmt.Sprintf("Deleting %s (%s) %s.", target, d.Policy, strings.Join(parts, ", "))
}
