package source

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"iter"
	"path/filepath"
	"strconv"
	"strings"
)

// parsed is the source of a folder, without its tests.
type parsed struct {
	all   []*ast.File
	funcs map[string]*ast.FuncDecl
	// files are those that functions lie in.
	files map[string]string
}

func parse(dir string) (*parsed, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("%s: no Go files", dir)
	}
	if err != nil {
		return nil, err
	}
	p, set := &parsed{funcs: map[string]*ast.FuncDecl{}, files: map[string]string{}}, token.NewFileSet()
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.all = append(p.all, file)
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				p.funcs[fn.Name.Name], p.files[fn.Name.Name] = fn, filepath.Base(path)
			}
		}
	}
	return p, nil
}

// strings are the constants of a folder that are texts.
func (p *parsed) strings() map[string]string {
	found := map[string]string{}
	for _, file := range p.all {
		for spec := range nodes[*ast.ValueSpec](file) {
			for i, value := range spec.Values {
				if s := text(value); s != "" {
					found[spec.Names[i].Name] = s
				}
			}
		}
	}
	return found
}

// nodes are those of a kind below a node, in the order of the text.
func nodes[N ast.Node](below ast.Node) iter.Seq[N] {
	return func(yield func(N) bool) {
		going := true
		ast.Inspect(below, func(n ast.Node) bool {
			if found, ok := n.(N); ok && going {
				going = yield(found)
			}
			return going
		})
	}
}

// calls are those of a function or method below a node.
func calls(below ast.Node, of string) iter.Seq[*ast.CallExpr] {
	return func(yield func(*ast.CallExpr) bool) {
		for call := range nodes[*ast.CallExpr](below) {
			if name(call.Fun) == of && !yield(call) {
				return
			}
		}
	}
}

// composite is the first literal of a type below a node; nil for none.
func composite(below ast.Node, of string) *ast.CompositeLit {
	for literal := range nodes[*ast.CompositeLit](below) {
		if literal.Type != nil && name(literal.Type) == of {
			return literal
		}
	}
	return nil
}

// fields are the keys and values of a literal.
func fields(literal *ast.CompositeLit) iter.Seq2[string, ast.Expr] {
	return func(yield func(string, ast.Expr) bool) {
		if literal == nil {
			return
		}
		for _, e := range literal.Elts {
			if pair, ok := e.(*ast.KeyValueExpr); ok && !yield(name(pair.Key), pair.Value) {
				return
			}
		}
	}
}

// name is the last identifier of an expression: X of pkg.X, of &X, of *X, of x.y.X.
func name(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.UnaryExpr:
		return name(e.X)
	case *ast.StarExpr:
		return name(e.X)
	}
	return ""
}

// text is a literal's; empty for another expression.
func text(e ast.Expr) string {
	if literal, ok := e.(*ast.BasicLit); ok && literal.Kind == token.STRING {
		s, _ := strconv.Unquote(literal.Value)
		return s
	}
	return ""
}
