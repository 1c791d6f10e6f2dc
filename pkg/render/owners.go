package render

import (
	"io"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
)

// OwnersDocument is the JSON form of a Graph of owners.
type OwnersDocument struct {
	metav1.TypeMeta `json:",inline"`
	*lineage.Graph
}

// DeepCopyObject makes OwnersDocument a runtime.Object. Graphs are never
// changed once made, so the copy may share them.
func (d *OwnersDocument) DeepCopyObject() runtime.Object { c := *d; return &c }

// NewOwnersDocument wraps a Graph.
func NewOwnersDocument(g *lineage.Graph) runtime.Object {
	out := *g
	out.Caveats = decision.List(g.Caveats)
	return &OwnersDocument{typeOf("Owners"), &out}
}

// Owners writes a Graph as trees, a root at the top of each, and what a
// deletion would do.
func Owners(w io.Writer, g *lineage.Graph, o Options) error {
	p := newPage(nil, o)
	p.headline(g.Answer)
	p.WriteByte('\n')
	t := newTree(g, o.All, o.All)
	f := folding(o.All, upTo[bool](most))
	for _, root := range t.roots() {
		if f.shows(true) {
			t.walk(root)
		}
	}
	if left := f.left[true]; left > 0 {
		t.rows = append(t.rows, treeRow{name: more(left, "at the top")})
	}
	p.tree(t.rows)
	p.deletion(g)
	var caveats []item
	for _, c := range g.Caveats {
		caveats = append(caveats, item{"CAVEATS", "", c.Message, c.Code})
	}
	if len(caveats) > 0 {
		p.WriteByte('\n')
		p.entries(caveats)
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// tree writes the rows with their remarks beside them, or below them where the
// terminal is too narrow for that.
func (p *page) tree(rows []treeRow) {
	names := 0
	for _, r := range rows {
		names = max(names, width(r.name))
	}
	room := p.Width - names - gap
	for _, r := range rows {
		switch lines := wrap(clean(r.text), room); {
		case p.Width > 0 && room < readable:
			p.line(r.name)
			if r.text == "" {
				continue
			}
			for _, line := range wrap(clean(r.text), p.Width-width(r.below)-2) {
				p.line(r.below + "  " + p.dim(line))
			}
		default:
			p.line(padded(r.name, names+gap) + p.dim(lines[0]))
			for _, line := range lines[1:] {
				p.line(padded(r.below, names+gap) + p.dim(line))
			}
		}
	}
}

func (p *page) deletion(g *lineage.Graph) {
	if g.OnDelete == nil {
		return
	}
	var entries []item
	add := func(label string, effects []lineage.Effect) {
		for i, e := range effects {
			if i == most && !p.All {
				entries = append(entries, item{label, more(len(effects)-i, ""), "", ""})
				break
			}
			text := e.Message
			if e.Blocks {
				text += "; " + e.Owner.String() + " waits for it"
			}
			entries = append(entries, item{label, e.Object.String(), text, e.Rule})
		}
	}
	add("ALSO DELETES", g.OnDelete.Takes)
	add("STAYS", g.OnDelete.Keeps)
	add("ORPHANED", g.OnDelete.Orphans)
	if len(entries) > 0 {
		p.WriteByte('\n')
	}
	p.entries(entries)
}

// Existing are the objects of a Graph that exist.
func Existing(g *lineage.Graph) (objects []decision.Ref) {
	for _, n := range g.Nodes {
		if n.Exists {
			objects = append(objects, n.Object)
		}
	}
	return objects
}
