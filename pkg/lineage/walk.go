package lineage

import (
	"slices"
	"sort"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Query says what to look at.
type Query struct {
	Target view.Target
	// Down asks for dependents, of Types, at most Depth levels below; 0 for
	// all levels.
	Down  bool
	Depth int
	Types []view.Kind
	// Undiscovered is why not every type that the server serves is among Types,
	// nil when all that were asked for are.
	Undiscovered error
	// OnDelete is the policy of a deletion to predict, empty for none.
	OnDelete Policy
	// Served finds the kinds that references name.
	Served Kinds
	// Installed tells of a kind that this user may not read whether the server
	// serves it at all; nil for yes.
	Installed func(view.Kind) bool
	// ByName says that controllers find their pods by the kind, name and UID
	// of their reference: since Kubernetes 1.34.2.
	ByName bool
}

// object is an object with its kind.
type object struct {
	kind view.Kind
	metav1.Object
}

//go:noinline // it is called at many places
func (o object) ref() decision.Ref { return ownership.RefTo(o.kind, o.Object) }

// walker makes the Graph of one query.
type walker struct {
	Query
	r         *view.Reader
	checker   *Checker
	claimants map[string]*ownership.Claimants
	// controllers are those that objects of a kind refer to, nil for what claims none.
	controllers map[string]*ownership.Controller
	// objects are those of the Graph that exist, below the dependents of
	// owners, each by UID; links are their references.
	objects map[types.UID]object
	links   map[types.UID][]Link
	below   map[types.UID][]object
	// named are the UIDs by which references name owners, each once.
	named map[ownerName][]types.UID
	// placed are the UIDs of the Graph's nodes, hidden counts the dependents
	// that the depth limit leaves out.
	placed map[string]bool
	hidden map[string]int
	g      *Graph
}

// Ask makes the Graph. Errors: *view.NotFound, and whatever kept the target
// itself from being read.
func Ask(r *view.Reader, q Query) (*Graph, error) {
	need := view.Need{Kind: q.Target.Kind, Namespace: q.Target.Namespace, Name: q.Target.Name}
	obj, err := r.Object(need)
	if err != nil {
		return nil, err
	}
	if obj == nil {
		return nil, &view.NotFound{Target: q.Target}
	}
	w := &walker{
		Query: q, r: r, checker: newChecker(r, q.Served), claimants: map[string]*ownership.Claimants{}, controllers: map[string]*ownership.Controller{},
		objects: map[types.UID]object{}, links: map[types.UID][]Link{}, below: map[types.UID][]object{}, named: map[ownerName][]types.UID{}, placed: map[string]bool{}, hidden: map[string]int{},
		g: &Graph{AsOf: r.Now(), Target: ownership.RefTo(q.Target.Kind, obj), Nodes: []Node{}, Edges: []Edge{}},
	}
	w.run(object{q.Target.Kind, obj})
	return w.g, nil
}

func (w *walker) run(target object) {
	w.up(target)
	if w.Down || w.OnDelete != "" {
		w.index(target)
	}
	if w.Down {
		w.down(target)
	}
	sort.SliceStable(w.g.Nodes, func(i, j int) bool { return w.g.Nodes[i].Depth < w.g.Nodes[j].Depth })
	for i := range w.g.Nodes {
		n := &w.g.Nodes[i]
		n.Hidden = w.hidden[n.Object.UID]
		w.next(n)
	}
	if w.OnDelete != "" {
		w.g.OnDelete = w.onDelete(target)
	}
	w.finish()
}

// add puts an object that exists into the Graph, once.
func (w *walker) add(o object, depth int) (added bool) {
	if _, known := w.objects[o.GetUID()]; known {
		return false
	}
	w.objects[o.GetUID()] = o
	w.placed[string(o.GetUID())] = true
	w.g.Nodes = append(w.g.Nodes, Node{Object: o.ref(), Exists: true, Deleting: o.GetDeletionTimestamp() != nil, Depth: depth})
	for _, l := range w.linksOf(o) {
		w.g.Edges = append(w.g.Edges, Edge{Dependent: string(o.GetUID()), Owner: l.Owner.UID, Link: l})
	}
	return true
}

func (w *walker) linksOf(o object) []Link {
	links, known := w.links[o.GetUID()]
	if !known {
		links = w.checker.Links(o.Object)
		w.links[o.GetUID()] = links
	}
	return links
}

// step is an object to go to next, or an owner that only a reference names.
type step struct {
	object
	link  Link
	depth int
}

// up adds an object and all its owners. Chains may be longer than a stack of
// calls should be.
func (w *walker) up(target object) {
	steps := []step{{object: target}}
	for len(steps) > 0 {
		s := steps[len(steps)-1]
		steps = steps[:len(steps)-1]
		if s.Object == nil {
			w.absent(s.link, s.depth)
		} else if w.add(s.object, s.depth) {
			steps = append(steps, w.owners(s)...)
		}
	}
}

// owners are the steps to the owners of an object, the last first.
func (w *walker) owners(s step) []step {
	var out []step
	for _, l := range slices.Backward(w.linksOf(s.object)) {
		if l.owner == nil {
			out = append(out, step{link: l, depth: s.depth - 1})
		} else if kind, err := w.Served(l.Owner.APIVersion, l.Owner.Kind); err == nil {
			out = append(out, step{object: object{kind, l.owner}, depth: s.depth - 1})
		}
	}
	return out
}

// absent adds an owner that only the reference names.
func (w *walker) absent(l Link, depth int) {
	if !w.placed[l.Owner.UID] {
		w.placed[l.Owner.UID] = true
		w.g.Nodes = append(w.g.Nodes, Node{Object: l.Owner, Depth: depth})
	}
}

// index reads all objects of the types and sorts them by their owners.
func (w *walker) index(target object) {
	for _, k := range w.Types {
		need := view.Need{Kind: k, IfMissing: "dependents of this type may be missing"}
		if k.Namespaced {
			need.Namespace = target.GetNamespace()
		} else if target.kind.Namespaced {
			continue // can't be owned from within a namespace
		}
		for _, obj := range w.held(need) {
			for _, ref := range obj.GetOwnerReferences() {
				w.depends(object{k, obj}, ref)
			}
		}
	}
}

// held are the objects of a type; of files that were captured without all of them,
// those that they hold.
func (w *walker) held(need view.Need) []metav1.Object {
	objs := w.r.Objects(need)
	if !view.NotCaptured(w.r.Err(need)) {
		return objs
	}
	return slices.DeleteFunc(slices.Clone(w.r.AllMetadata(need.Kind)), func(obj metav1.Object) bool {
		return need.Namespace != "" && obj.GetNamespace() != need.Namespace
	})
}

// ownerName is how a reference names an owner besides its UID.
type ownerName struct{ apiVersion, kind, name string }

// depends notes a dependent of an owner. One that refers to it twice is noted
// once.
func (w *walker) depends(o object, ref metav1.OwnerReference) {
	all := w.below[ref.UID]
	if len(all) == 0 {
		name := ownerName{ref.APIVersion, ref.Kind, ref.Name}
		w.named[name] = append(w.named[name], ref.UID)
	}
	if n := len(all); n == 0 || all[n-1].Object != o.Object {
		w.below[ref.UID] = append(all, o)
	}
}

// stale are the steps to the objects that refer to one of the name and kind of an object,
// which had another UID.
func (w *walker) stale(o object, depth int) []step {
	var out []step
	for _, uid := range w.named[ownerName{o.kind.GroupVersion().String(), o.kind.Kind, o.GetName()}] {
		if uid == o.GetUID() {
			continue
		}
		for _, dep := range w.below[uid] {
			for _, l := range w.linksOf(dep) {
				if l.Owner.UID == string(uid) && l.Rule == OwnerReplaced {
					out = append(out, step{object: dep, link: l, depth: depth})
				}
			}
		}
	}
	return out
}

// down adds the dependents of an object, at all levels.
func (w *walker) down(target object) {
	steps := w.dependents(target, 1)
	for len(steps) > 0 {
		s := steps[len(steps)-1]
		steps = steps[:len(steps)-1]
		if w.add(s.object, s.depth) {
			if s.link.Owner.UID != "" {
				w.absent(s.link, s.depth-1)
			}
			steps = append(steps, w.dependents(s.object, s.depth+1)...)
		}
	}
}

// dependents are the steps to the dependents of an object, the last first.
// Beyond the depth limit they are counted.
func (w *walker) dependents(o object, depth int) []step {
	below, stale := w.below[o.GetUID()], w.stale(o, depth)
	if w.Depth > 0 && depth > w.Depth {
		w.hidden[string(o.GetUID())] = len(below) + len(stale)
		return nil
	}
	out := append(make([]step, 0, len(below)+len(stale)), stale...)
	for _, dep := range slices.Backward(below) {
		out = append(out, step{object: dep, depth: depth})
	}
	return out
}
