package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
)

// Graph draws a Graph as dot, which Graphviz renders, or as mermaid, which web
// pages do. Arrows lead from owners to dependents: solid ones from controllers,
// dashed ones from other owners. What is broken or about to change is marked.
func Graph(w io.Writer, g *lineage.Graph, format string) error {
	d := dot
	if format == "mermaid" {
		d = mermaid
	}
	var b strings.Builder
	ids := map[string]string{}
	b.WriteString(d.head)
	for i, n := range g.Nodes {
		id := fmt.Sprintf("n%d", i)
		ids[n.Object.UID] = id
		b.WriteString(d.node(id, label(n), style(g, n)))
	}
	for _, e := range g.Edges {
		if ids[e.Owner] != "" && ids[e.Dependent] != "" {
			b.WriteString(d.edge(ids[e.Owner], ids[e.Dependent], e.Controller, edgeText(e)))
		}
	}
	b.WriteString(d.tail)
	_, err := io.WriteString(w, b.String())
	return err
}

// drawing is a language of graphs.
type drawing struct {
	head, tail string
	node       func(id string, label []string, style string) string
	edge       func(owner, dependent string, controller bool, text string) string
}

// label is the object's name and what is to be said of it, a line each.
func label(n lineage.Node) []string {
	lines := []string{clean(n.Object.String())}
	if !n.Exists {
		lines = append(lines, "missing")
	}
	if n.Deleting {
		lines = append(lines, "being deleted")
	}
	if n.Next != nil {
		lines = append(lines, clean(n.Next.Message))
	}
	return lines
}

func style(g *lineage.Graph, n lineage.Node) string {
	switch {
	case n.Object.UID == g.Target.UID:
		return "target"
	case !n.Exists:
		return "missing"
	case n.Next != nil:
		return "changing"
	}
	return ""
}

func edgeText(e lineage.Edge) string {
	switch e.State {
	case lineage.Solid:
		return ""
	case lineage.Waiting:
		return "waits"
	}
	return string(e.State)
}

var dotStyles = map[string]string{
	"target": `, penwidth=2`, "missing": `, style=dashed, color=red`, "changing": `, color=orange`,
}

var dot = drawing{
	head: "digraph owners {\n  node [shape=box, fontname=\"sans-serif\"];\n",
	tail: "}\n",
	node: func(id string, label []string, style string) string {
		for i := range label {
			label[i] = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(label[i])
		}
		return fmt.Sprintf("  %s [label=\"%s\"%s];\n", id, strings.Join(label, `\n`), dotStyles[style])
	},
	edge: func(owner, dependent string, controller bool, text string) string {
		line := "solid"
		if !controller {
			line = "dashed"
		}
		return fmt.Sprintf("  %s -> %s [style=%s, label=\"%s\"];\n", owner, dependent, line, text)
	},
}

var mermaid = drawing{
	head: "flowchart TD\n  classDef target stroke-width:3px\n  classDef missing stroke:red,stroke-dasharray:4\n  classDef changing stroke:orange\n",
	node: func(id string, label []string, style string) string {
		for i := range label {
			label[i] = strings.NewReplacer(`&`, "#amp;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "`", "#96;", `\`, "#92;").Replace(label[i])
		}
		line := fmt.Sprintf("  %s[\"%s\"]", id, strings.Join(label, "<br>"))
		if style != "" {
			line += ":::" + style
		}
		return line + "\n"
	},
	edge: func(owner, dependent string, controller bool, text string) string {
		arrow := "-->"
		if !controller {
			arrow = "-.->"
		}
		if text != "" {
			text = "|" + text + "|"
		}
		return fmt.Sprintf("  %s %s%s %s\n", owner, arrow, text, dependent)
	},
}
