// Package source answers: which controllers does the source of one release of
// Kubernetes give to kube-controller-manager?
package source

import (
	"errors"
	"fmt"
	"go/ast"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/manager"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
)

// Modules finds the folder of a module of the release.
type Modules func(module string) (string, error)

// Releases are the newest patch of each minor among some releases, from the first
// one whose controllers have the names that they have today.
func Releases(all []profile.Version) (newest []profile.Version) {
	const first = 29
	for _, v := range all {
		switch last := len(newest) - 1; {
		case v.Minor < first:
		case last >= 0 && newest[last].Minor == v.Minor:
			newest[last] = v
		default:
			newest = append(newest, v)
		}
	}
	return newest
}

// release is the source of one.
type release struct {
	names    map[string]string       // constants of controllers' names
	gates    map[string]manager.Gate // by their constant
	workers  map[string]manager.Workers
	app      *parsed
	register []string // functions that make the descriptors that are registered
}

// Read returns the controllers of kube-controller-manager by name.
func Read(modules Modules) ([]manager.Controller, error) {
	r, err := open(modules)
	if err != nil {
		return nil, err
	}
	var all []manager.Controller
	for _, fn := range r.register {
		c, err := r.controller(fn)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", fn, err)
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b manager.Controller) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

func open(modules Modules) (*release, error) {
	const cmd = "cmd/kube-controller-manager"
	kubernetes, err := modules("k8s.io/kubernetes")
	if err != nil {
		return nil, err
	}
	apiserver, err := modules("k8s.io/apiserver")
	if err != nil {
		return nil, err
	}
	r := &release{gates: map[string]manager.Gate{}}
	if r.names, err = r.readNames(modules, filepath.Join(kubernetes, cmd, "names")); err != nil {
		return nil, err
	}
	for _, dir := range []string{filepath.Join(apiserver, "pkg/features"), filepath.Join(kubernetes, "pkg/features")} {
		if err := r.readGates(dir); err != nil {
			return nil, err
		}
	}
	if r.workers, err = r.readWorkers(kubernetes, filepath.Join(kubernetes, cmd, "app/options")); err != nil {
		return nil, err
	}
	if r.app, err = parse(filepath.Join(kubernetes, cmd, "app")); err != nil {
		return nil, err
	}
	fn, ok := r.app.funcs["NewControllerDescriptors"]
	if !ok {
		return nil, fmt.Errorf("%s: no func NewControllerDescriptors", filepath.Join(kubernetes, cmd, "app"))
	}
	for call := range calls(fn.Body, "register") {
		r.register = append(r.register, name(call.Args[0].(*ast.CallExpr).Fun))
	}
	return r, nil
}

// readNames reads the constants of controllers' names; those of a cloud provider's
// are in a module of their own.
func (r *release) readNames(modules Modules, dir string) (map[string]string, error) {
	own, err := parse(dir)
	if err != nil {
		return nil, err
	}
	cloud, err := modules("k8s.io/cloud-provider")
	if err != nil {
		return nil, err
	}
	theirs, err := parse(filepath.Join(cloud, "names"))
	if err != nil {
		return nil, err
	}
	names := own.strings()
	maps.Copy(names, theirs.strings())
	return names, nil
}

// controller reads the descriptor that a function returns.
func (r *release) controller(fn string) (c manager.Controller, err error) {
	decl := r.app.funcs[fn]
	if decl == nil {
		return c, errors.New("not found")
	}
	for key, value := range fields(composite(decl.Body, "ControllerDescriptor")) {
		switch key {
		case "name":
			c.Name = r.names[name(value)]
		case "aliases":
			for _, e := range value.(*ast.CompositeLit).Elts {
				c.Aliases = append(c.Aliases, text(e))
			}
		case "requiredFeatureGates":
			for _, e := range value.(*ast.CompositeLit).Elts {
				c.Gates = append(c.Gates, r.gates[name(e)])
			}
		case "isDisabledByDefault":
			c.DisabledByDefault = name(value) == "true"
		case "isCloudProviderController":
			c.CloudProvider = name(value) == "true"
		case "requiresSpecialHandling":
			c.First = name(value) == "true"
		case "initFunc", "constructor":
			c.Start = started(value)
		default:
			return c, fmt.Errorf("field %s is not known", key)
		}
	}
	c.File, c.Workers = r.app.files[c.Start], r.workers[c.Name]
	r.addStartGates(&c)
	if c.Name == "" || c.File == "" && !c.CloudProvider || slices.Contains(c.Gates, manager.Gate{}) {
		return c, fmt.Errorf("read %+v", c)
	}
	return c, nil
}

// addStartGates adds those gates without which the function that starts a controller
// returns none, and that its descriptor does not name.
func (r *release) addStartGates(c *manager.Controller) {
	start := r.app.funcs[c.Start]
	if start == nil {
		return
	}
	for _, s := range start.Body.List {
		check, ok := s.(*ast.IfStmt)
		if !ok || !returnsNil(check.Body) {
			continue
		}
		for call := range calls(check.Cond, "Enabled") {
			g, known := r.gates[name(call.Args[0])]
			named := slices.ContainsFunc(c.Gates, func(other manager.Gate) bool { return other.Name == g.Name })
			if known && !named && name(call.Fun.(*ast.SelectorExpr).X) == "DefaultFeatureGate" {
				g.InStart = true
				c.Gates = append(c.Gates, g)
			}
		}
	}
}

// returnsNil reports whether a block ends with a return of nil first.
func returnsNil(block *ast.BlockStmt) bool {
	back, ok := block.List[len(block.List)-1].(*ast.ReturnStmt)
	return ok && name(back.Results[0]) == "nil"
}

// started is the function that a descriptor names, or that a function literal returns
// the result of; empty for a literal that starts nothing.
func started(value ast.Expr) string {
	literal, ok := value.(*ast.FuncLit)
	if !ok {
		return name(value)
	}
	for back := range nodes[*ast.ReturnStmt](literal) {
		if call, ok := back.Results[0].(*ast.CallExpr); ok {
			return name(call.Fun)
		}
	}
	return ""
}
