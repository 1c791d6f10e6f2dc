package html

import (
	"fmt"
	"html/template"
	"reflect"
	"text/template/parse"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
)

// inLines has every action of the templates print its text in one line: a name
// that ends a line can't make up one of the page's source.
func inLines(all *template.Template) *template.Template {
	for _, t := range all.Templates() {
		if t.Tree != nil {
			inLine(t.Tree.Root)
		}
	}
	return all
}

func inLine(node parse.Node) {
	switch n := node.(type) {
	case *parse.ListNode:
		if n == nil { // no else
			return
		}
		for _, child := range n.Nodes {
			inLine(child)
		}
	case *parse.IfNode:
		inBranches(&n.BranchNode)
	case *parse.RangeNode:
		inBranches(&n.BranchNode)
	case *parse.WithNode:
		inBranches(&n.BranchNode)
	case *parse.ActionNode:
		if len(n.Pipe.Decl) == 0 {
			n.Pipe.Cmds = append(n.Pipe.Cmds, &parse.CommandNode{
				NodeType: parse.NodeCommand, Pos: n.Pos, Args: []parse.Node{parse.NewIdentifier("line").SetPos(n.Pos)},
			})
		}
	}
}

func inBranches(n *parse.BranchNode) {
	inLine(n.List)
	inLine(n.ElseList)
}

// line is text, also that of an object's reference, without line ends and tabs.
// Other values are no text of a cluster.
func line(value any) any {
	if text, ok := value.(fmt.Stringer); ok {
		return render.HarmlessLine(text.String())
	}
	v := reflect.ValueOf(value)
	if _, ours := value.(template.CSS); ours || v.Kind() != reflect.String {
		return value
	}
	return render.HarmlessLine(v.String())
}
