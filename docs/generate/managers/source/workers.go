package source

import (
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/manager"
)

// elsewhere is the controller that uses a flag of another one's group.
var elsewhere = map[string]string{
	// app/service_accounts.go or controllermanager.go, start of the token controller
	"concurrent-serviceaccount-token-syncs": "serviceaccount-token-controller",
}

// readWorkers reads which flag sets the workers of each controller: Flags in options.go
// gives each type of options a group with the controller's name.
func (r *release) readWorkers(kubernetes, dir string) (map[string]manager.Workers, error) {
	p, err := parse(dir)
	if err != nil {
		return nil, err
	}
	groups := groupsOf(p, r.names)
	workers := map[string]manager.Workers{}
	for _, file := range p.all {
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || fn.Name.Name != "AddFlags" {
				continue
			}
			flag, field := workersFlag(fn)
			if flag == "" {
				continue
			}
			count, err := defaultOf(kubernetes, file, field)
			if err != nil {
				return nil, fmt.Errorf("--%s: %w", flag, err)
			}
			controller := groups[name(fn.Recv.List[0].Type)]
			if other := elsewhere[flag]; other != "" {
				controller = other
			}
			workers[controller] = manager.Workers{Flag: flag, Default: count}
		}
	}
	return workers, nil
}

// groupsOf is the controller whose group has the flags of each type of options.
func groupsOf(p *parsed, names map[string]string) map[string]string {
	types := map[string]string{} // by field of KubeControllerManagerOptions
	for _, file := range p.all {
		for spec := range nodes[*ast.TypeSpec](file) {
			if options, ok := spec.Type.(*ast.StructType); ok && spec.Name.Name == "KubeControllerManagerOptions" {
				for _, f := range options.Fields.List {
					types[f.Names[0].Name] = name(f.Type)
				}
			}
		}
	}
	groups := map[string]string{}
	for _, file := range p.all {
		for call := range calls(file, "AddFlags") {
			method, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || len(call.Args) != 1 {
				continue
			}
			if group, ok := call.Args[0].(*ast.CallExpr); ok && name(group.Fun) == "FlagSet" {
				groups[types[name(method.X)]] = names[name(group.Args[0])]
			}
		}
	}
	return groups
}

// workersFlag is the flag that sets workers, and the field that it sets.
func workersFlag(addFlags *ast.FuncDecl) (flag, field string) {
	for call := range calls(addFlags.Body, "Int32Var") {
		if f := text(call.Args[1]); strings.Contains(f, "concurrent") {
			return strings.ReplaceAll(f, "_", "-"), name(call.Args[0])
		}
	}
	return "", ""
}

// defaultOf is what a configuration's defaults set a field to: the package beside the
// one that the options are of.
func defaultOf(kubernetes string, options *ast.File, field string) (int, error) {
	for _, imported := range options.Imports {
		path, ok := strings.CutPrefix(text(imported.Path), "k8s.io/kubernetes/")
		if !ok || filepath.Base(path) != "config" {
			continue
		}
		p, err := parse(filepath.Join(kubernetes, path, "v1alpha1"))
		if err != nil {
			return 0, err
		}
		for _, file := range p.all {
			for set := range nodes[*ast.AssignStmt](file) {
				value, ok := set.Rhs[0].(*ast.BasicLit)
				if ok && value.Kind == token.INT && name(set.Lhs[0]) == field {
					return strconv.Atoi(value.Value)
				}
			}
		}
	}
	return 0, fmt.Errorf("no default of %s is found", field)
}
