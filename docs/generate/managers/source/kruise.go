package source

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/manager"
)

// Kruise is the module of kruise-manager.
const Kruise = "github.com/openkruise/kruise"

// kruise is the source of one of its releases.
type kruise struct {
	release
	root string
}

// ReadKruise returns the controllers of kruise-manager by name, and what its feature gates
// do to each other.
func ReadKruise(modules Modules) ([]manager.Controller, []manager.Implied, error) {
	root, err := modules(Kruise)
	if err != nil {
		return nil, nil, err
	}
	k := &kruise{release{gates: map[string]manager.Gate{}}, root}
	features := filepath.Join(root, "pkg/features")
	if err := k.readGates(features); err != nil {
		return nil, nil, err
	}
	var all []manager.Controller
	added, err := k.added()
	for _, dir := range added {
		var c manager.Controller
		if c, err = k.controller(dir); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", dir, err)
		}
		all = append(all, c)
	}
	if err != nil {
		return nil, nil, err
	}
	slices.SortFunc(all, func(a, b manager.Controller) int { return strings.Compare(a.Name, b.Name) })
	implied, err := k.implied(features)
	return all, implied, err
}

// added are the folders of the controllers that pkg/controller/controllers.go adds.
func (k *kruise) added() (dirs []string, err error) {
	p, err := parse(filepath.Join(k.root, "pkg/controller"))
	if err != nil {
		return nil, err
	}
	for _, file := range p.all {
		for call := range calls(file, "append") {
			if name(call.Args[0]) != "controllerAddFuncs" {
				continue
			}
			dir, err := k.imported(file, call.Args[1])
			if err != nil {
				return nil, err
			}
			dirs = append(dirs, dir)
		}
	}
	if len(dirs) == 0 {
		return nil, errors.New("no controllers are added to controllerAddFuncs")
	}
	return dirs, nil
}

// imported is the folder of the package that qualifies an expression.
func (k *kruise) imported(file *ast.File, e ast.Expr) (string, error) {
	selector, ok := e.(*ast.SelectorExpr)
	if !ok {
		return "", fmt.Errorf("%T is of no other package", e)
	}
	for _, i := range file.Imports {
		of := text(i.Path)
		called := path.Base(of)
		if i.Name != nil {
			called = i.Name.Name
		}
		if dir, own := strings.CutPrefix(of, Kruise+"/"); own && called == name(selector.X) {
			return filepath.Join(k.root, dir), nil
		}
	}
	return "", fmt.Errorf("%s is not imported", name(selector.X))
}

// controller reads the one of a folder: its name, what Add asks for, and its workers.
func (k *kruise) controller(dir string) (c manager.Controller, err error) {
	p, err := parse(dir)
	if err != nil {
		return c, err
	}
	add := p.funcs["Add"]
	if add == nil {
		return c, errors.New("no func Add")
	}
	constants := p.strings()
	for _, file := range p.all {
		for call := range calls(file, "New") {
			if of, ok := call.Fun.(*ast.SelectorExpr); ok && name(of.X) == "controller" {
				if c.Name = text(call.Args[0]); c.Name == "" {
					c.Name = constants[name(call.Args[0])]
				}
			}
		}
		if err := k.asks(&c, p, file, add); err != nil {
			return c, err
		}
	}
	c.Start, c.File = filepath.Base(dir)+".Add", filepath.Base(dir)+"/"+p.files["Add"]
	c.Workers = p.kruiseWorkers()
	if c.Name == "" || c.Workers.Default == 0 || slices.Contains(c.Gates, manager.Gate{}) {
		return c, fmt.Errorf("read %+v", c)
	}
	return c, nil
}

// kruiseWorkers reads the flag for workers, and the variable that it sets.
func (p *parsed) kruiseWorkers() (w manager.Workers) {
	for _, file := range p.all {
		for call := range calls(file, "IntVar") {
			if flag := text(call.Args[1]); strings.HasSuffix(flag, "-workers") {
				w.Flag = flag
			}
		}
		for spec := range nodes[*ast.ValueSpec](file) {
			for i, value := range spec.Values {
				if literal, ok := value.(*ast.BasicLit); ok && literal.Kind == token.INT && spec.Names[i].Name == "concurrentReconciles" {
					w.Default, _ = strconv.Atoi(literal.Value)
				}
			}
		}
	}
	return w
}

// asks reads the conditions of Add, where it lies in this file: each makes it return nil.
func (k *kruise) asks(c *manager.Controller, p *parsed, file *ast.File, add *ast.FuncDecl) error {
	if !slices.Contains(file.Decls, ast.Decl(add)) {
		return nil
	}
	for _, s := range add.Body.List {
		check, ok := s.(*ast.IfStmt)
		if !ok || !returnsNil(check.Body) {
			continue
		}
		if both, ok := check.Cond.(*ast.BinaryExpr); ok && both.Op == token.LAND {
			for call := range calls(check.Cond, "Enabled") {
				c.AnyGate = append(c.AnyGate, k.gates[name(call.Args[0])])
			}
			continue
		}
		for call := range calls(check.Cond, "Enabled") {
			c.Gates = append(c.Gates, k.gates[name(call.Args[0])])
		}
		for call := range calls(check.Cond, "DiscoverGVK") {
			kind, err := k.kind(p, file, call.Args[0])
			if err != nil {
				return err
			}
			c.Served = kind
		}
	}
	return nil
}

// kind is the group, version and kind that an expression names.
func (k *kruise) kind(p *parsed, file *ast.File, e ast.Expr) (string, error) {
	if call, ok := e.(*ast.CallExpr); ok && name(call.Fun) == "WithKind" {
		dir, err := k.imported(file, call.Fun.(*ast.SelectorExpr).X)
		if err != nil {
			return "", err
		}
		group, err := groupVersion(dir)
		return group + ", Kind=" + text(call.Args[0]), err
	}
	if _, other := e.(*ast.SelectorExpr); other {
		dir, err := k.imported(file, e)
		if err != nil {
			return "", err
		}
		if p, err = parse(dir); err != nil {
			return "", err
		}
	}
	for _, file := range p.all {
		for spec := range nodes[*ast.ValueSpec](file) {
			for i, value := range spec.Values {
				if spec.Names[i].Name == name(e) {
					return k.kind(p, file, value)
				}
			}
		}
	}
	return "", fmt.Errorf("%s is not found", name(e))
}

// groupVersion is that of an API's package.
func groupVersion(dir string) (string, error) {
	p, err := parse(dir)
	if err != nil {
		return "", err
	}
	for _, file := range p.all {
		group, version := "", ""
		for key, value := range fields(composite(file, "GroupVersion")) {
			switch key {
			case "Group":
				group = text(value)
			case "Version":
				version = text(value)
			}
		}
		if version != "" {
			return group + "/" + version, nil
		}
	}
	return "", fmt.Errorf("%s: no group and version", dir)
}

// implied reads SetDefaultFeatureGates.
func (k *kruise) implied(features string) (all []manager.Implied, err error) {
	p, err := parse(features)
	if err != nil {
		return nil, err
	}
	fn := p.funcs["SetDefaultFeatureGates"]
	if fn == nil {
		return nil, fmt.Errorf("%s: no func SetDefaultFeatureGates", features)
	}
	names := p.strings()
	for _, s := range fn.Body.List {
		check, ok := s.(*ast.IfStmt)
		if !ok {
			continue
		}
		_, negated := check.Cond.(*ast.UnaryExpr)
		i := manager.Implied{On: !negated}
		for call := range calls(check.Cond, "Enabled") {
			i.When = append(i.When, k.gates[name(call.Args[0])])
		}
		for call := range calls(check.Body, "Sprintf") {
			i.Then, i.Set = append(i.Then, names[name(call.Args[1])]), strings.HasSuffix(text(call.Args[0]), "=true")
		}
		all = append(all, i)
	}
	return all, nil
}
