package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// types are the structs of one version of k8s.io/api/core/v1, by name.
type types map[string]*ast.StructType

func parse(file string) (types, error) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		return nil, err
	}
	all := types{}
	ast.Inspect(f, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok {
			if s, ok := spec.Type.(*ast.StructType); ok {
				all[spec.Name.Name] = s
			}
		}
		return true
	})
	return all, nil
}

// walk compares a type of today to its former self.
type walk struct {
	types
	seen  map[[2]string]bool
	lacks []string
}

// lacks lists the fields of today's pod templates that these types lack.
func (t types) lacks() ([]string, error) {
	w := &walk{types: t, seen: map[[2]string]bool{}}
	err := w.compare(reflect.TypeFor[corev1.PodTemplateSpec](), "PodTemplateSpec")
	return w.lacks, err
}

func (w *walk) compare(now reflect.Type, then string) error {
	for now.Kind() == reflect.Pointer || now.Kind() == reflect.Slice || now.Kind() == reflect.Map {
		now = now.Elem()
	}
	pair := [2]string{now.Name(), then}
	if now.Kind() != reflect.Struct || now.PkgPath() != "k8s.io/api/core/v1" || w.seen[pair] {
		return nil
	}
	w.seen[pair] = true
	former, ok := w.types[then]
	if !ok {
		return fmt.Errorf("%s, now %s, is no struct", then, now.Name())
	}
	var order []int
	for f := range now.Fields() {
		at, old := find(former, f)
		if old == nil {
			w.lacks = append(w.lacks, now.Name()+"."+f.Name)
			continue
		}
		order = append(order, at)
		if err := w.compare(f.Type, elem(old.Type)); err != nil {
			return fmt.Errorf("%s.%s: %w", now.Name(), f.Name, err)
		}
	}
	if !slices.IsSorted(order) { // hashes of containers are of their JSON
		return fmt.Errorf("the fields of %s had another order", then)
	}
	return nil
}

// find is the former field of the same name in JSON and the same options.
func find(s *ast.StructType, f reflect.StructField) (int, *ast.Field) {
	for i, old := range s.Fields.List {
		if old.Tag == nil {
			continue
		}
		text, err := strconv.Unquote(old.Tag.Value)
		if err != nil {
			continue
		}
		was, is := reflect.StructTag(text).Get("json"), f.Tag.Get("json")
		if f.Anonymous && len(old.Names) == 0 && elem(old.Type) == f.Type.Name() || !f.Anonymous && len(old.Names) > 0 && name(was) == name(is) {
			return i, old
		}
	}
	return 0, nil
}

func name(tag string) string {
	n, _, _ := strings.Cut(tag, ",")
	return n
}

// elem is the name of the type behind pointers, lists and maps.
func elem(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return elem(e.X)
	case *ast.ArrayType:
		return elem(e.Elt)
	case *ast.MapType:
		return elem(e.Value)
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}
