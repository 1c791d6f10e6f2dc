package schema

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
)

const module = "github.com/kubectl-ctrl/kubectl-ctrl/"

// sources are the packages whose comments were read, by import path.
type sources map[string]*source

// source is what the files of a package say about its types.
type source struct {
	types  map[string]string
	fields map[string]map[string]string
	values map[string][]Value
}

// Value is one of a closed set.
type Value struct{ Name, Description string }

// of returns the source of the package that declares t. The working directory is the
// root of the repository.
func (s sources) of(t reflect.Type) (*source, error) {
	path := t.PkgPath()
	if known := s[path]; known != nil {
		return known, nil
	}
	files, err := filepath.Glob(filepath.Join(filepath.FromSlash(strings.TrimPrefix(path, module)), "*.go"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("%s: no Go files of this package: run it in the root of the repository", path)
	}
	read := &source{types: map[string]string{}, fields: map[string]map[string]string{}, values: map[string][]Value{}}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			if decl, ok := d.(*ast.GenDecl); ok {
				read.declared(decl)
			}
		}
	}
	s[path] = read
	return read, nil
}

func (s *source) declared(decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			s.typed(spec, decl)
		case *ast.ValueSpec:
			s.valued(spec, decl)
		}
	}
}

func (s *source) typed(spec *ast.TypeSpec, decl *ast.GenDecl) {
	s.types[spec.Name.Name] = text(spec.Doc, decl.Doc)
	fields, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	docs := map[string]string{}
	for _, field := range fields.Fields.List {
		for _, name := range field.Names {
			docs[name.Name] = text(field.Doc)
		}
	}
	s.fields[spec.Name.Name] = docs
}

// valued keeps a constant of a named type. One that stands alone has its comment
// before the declaration.
func (s *source) valued(spec *ast.ValueSpec, decl *ast.GenDecl) {
	of, named := spec.Type.(*ast.Ident)
	if decl.Tok != token.CONST || !named || len(spec.Values) != 1 {
		return
	}
	lit, ok := spec.Values[0].(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return
	}
	name, err := strconv.Unquote(lit.Value)
	if err != nil {
		return
	}
	alone := decl.Doc
	if decl.Lparen.IsValid() {
		alone = nil
	}
	s.values[of.Name] = append(s.values[of.Name], Value{name, described(text(spec.Doc, alone), spec.Names[0].Name)})
}

// described is a comment without the name that it begins with, in Go.
func described(comment, name string) string {
	rest, ok := strings.CutPrefix(comment, name)
	if !ok || rest == "" {
		return comment
	}
	for _, verb := range []string{":", " is", " are", " say", " says"} {
		rest = strings.TrimPrefix(rest, verb+" ")
	}
	rest = strings.TrimSpace(rest)
	if first, _, _ := strings.Cut(rest, " "); strings.Contains(strings.TrimSuffix(first, "."), ".") {
		return rest // it begins with the path of a field
	}
	return strings.ToUpper(rest[:1]) + rest[1:]
}

// text is the first comment that there is, on one line.
func text(comments ...*ast.CommentGroup) string {
	for _, c := range comments {
		if said := strings.Join(strings.Fields(c.Text()), " "); said != "" {
			return said
		}
	}
	return ""
}
