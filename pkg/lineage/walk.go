package lineage

import (
	"slices"

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
	// OnDelete is the policy of a deletion to foretell, empty for none.
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

func (o object) ref() decision.Ref { return ownership.RefTo(o.kind, o.Object) }

// walker makes the Graph of one query.
type walker struct {
	Query
	r         *view.Reader
	checker   *Checker
	claimants map[string]*ownership.Claimants
	// objects are those of the Graph that exist, below the dependents of
	// owners, each by UID; links are their references.
	objects map[types.UID]object
	links   map[types.UID][]Link
	below   map[types.UID][]object
	// hidden counts the dependents that the depth limit leaves out.
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
		Query: q, r: r, checker: NewChecker(r, q.Served), claimants: map[string]*ownership.Claimants{},
		objects: map[types.UID]object{}, links: map[types.UID][]Link{}, below: map[types.UID][]object{}, hidden: map[string]int{},
		g: &Graph{AsOf: r.Now(), Target: ownership.RefTo(q.Target.Kind, obj), Nodes: []Node{}, Edges: []Edge{}},
	}
	w.run(object{q.Target.Kind, obj})
	return w.g, nil
}

func (w *walker) run(target object) {
	w.up(target, 0)
	if w.Down || w.OnDelete != "" {
		w.index(target)
	}
	if w.Down {
		w.down(target, 1)
	}
	slices.SortStableFunc(w.g.Nodes, func(a, b Node) int { return a.Depth - b.Depth })
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

// up adds an object and all its owners.
func (w *walker) up(o object, depth int) {
	if !w.add(o, depth) {
		return
	}
	for _, l := range w.linksOf(o) {
		if l.owner == nil {
			w.absent(l, depth-1)
			continue
		}
		if kind, err := w.Served(l.Owner.APIVersion, l.Owner.Kind); err == nil {
			w.up(object{kind, l.owner}, depth-1)
		}
	}
}

// absent adds an owner that only the reference names.
func (w *walker) absent(l Link, depth int) {
	if w.g.Node(l.Owner.UID) == nil {
		w.g.Nodes = append(w.g.Nodes, Node{Object: l.Owner, Depth: depth})
	}
}

// index reads all objects of the types and sorts them by their owners.
func (w *walker) index(target object) {
	for _, k := range w.Types {
		need := view.Need{Kind: k, Without: "dependents of this type are not shown"}
		if k.Namespaced {
			need.Namespace = target.GetNamespace()
		} else if target.kind.Namespaced {
			continue // can't be owned from within a namespace
		}
		for _, obj := range w.r.Objects(need) {
			for _, ref := range obj.GetOwnerReferences() {
				w.below[ref.UID] = append(w.below[ref.UID], object{k, obj})
			}
		}
	}
}

// down adds the dependents of an object.
func (w *walker) down(o object, depth int) {
	if w.Depth > 0 && depth > w.Depth {
		w.hidden[string(o.GetUID())] = len(w.below[o.GetUID()])
		return
	}
	for _, dep := range w.below[o.GetUID()] {
		if w.add(dep, depth) {
			w.down(dep, depth+1)
		}
	}
}
