// Command manager says which controllers one version of kube-controller-manager
// has, and how its flags are set by default: what upstream's own descriptors and
// options answer, as JSON. With arguments, each is a value of --controllers, and
// it says instead which controllers each value enables; with the first argument
// "gates" the others are a command line, and it says which feature gates they
// switch on.
//
// A .mod file for each version stands beside it: go run -modfile=1.36.mod .
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/util/sets"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	cliflag "k8s.io/component-base/cli/flag"
	"k8s.io/component-base/featuregate"
	generic "k8s.io/controller-manager/app"
	"k8s.io/controller-manager/config"
	"k8s.io/kubernetes/cmd/kube-controller-manager/app"
	"k8s.io/kubernetes/cmd/kube-controller-manager/app/options"
)

// Manager is what a version of kube-controller-manager says of itself.
type Manager struct {
	Controllers []Controller
	// Known and DisabledByDefault are what validation of --controllers uses.
	Known, DisabledByDefault []string
	// Flags are those of the groups "generic" and "leader election", by default.
	Flags map[string]string
}

// Controller is a ControllerDescriptor, and the flags of its group.
type Controller struct {
	Name           string
	Aliases        []string        `json:",omitempty"`
	Gates          map[string]bool `json:",omitempty"`
	Disabled       bool            `json:",omitempty"`
	CloudProvider  bool            `json:",omitempty"`
	Special        bool            `json:",omitempty"`
	Start, File    string
	WorkersFlag    string `json:",omitempty"`
	WorkersDefault string `json:",omitempty"`
}

func main() {
	var answer any
	switch values := os.Args[1:]; {
	case len(values) == 0:
		answer = manager()
	case values[0] == "gates":
		answer = commanded(values[1:])
	default:
		answer = enabled(values)
	}
	if err := json.NewEncoder(os.Stdout).Encode(answer); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func manager() Manager {
	o, err := options.NewKubeControllerManagerOptions()
	if err != nil {
		panic(err)
	}
	groups := o.Flags(app.KnownControllers(), app.ControllersDisabledByDefault(), app.ControllerAliases())
	m := Manager{Known: app.KnownControllers(), DisabledByDefault: app.ControllersDisabledByDefault(), Flags: map[string]string{}}
	for _, group := range []string{"generic", "leader election"} {
		groups.FlagSet(group).VisitAll(func(f *pflag.Flag) { m.Flags[f.Name] = f.DefValue })
	}
	for name, d := range app.NewControllerDescriptors() {
		c := Controller{
			Name: name, Aliases: d.GetAliases(), Gates: gates(d.GetRequiredFeatureGates()), Disabled: d.IsDisabledByDefault(),
			CloudProvider: says(d, "IsCloudProviderController"), Special: d.RequiresSpecialHandling(),
		}
		c.Start, c.File = started(d)
		groups.FlagSet(name).VisitAll(func(f *pflag.Flag) {
			if strings.Contains(f.Name, "concurrent") {
				c.WorkersFlag, c.WorkersDefault = f.Name, f.DefValue
			}
		})
		m.Controllers = append(m.Controllers, c)
	}
	slices.SortFunc(m.Controllers, func(a, b Controller) int { return strings.Compare(a.Name, b.Name) })
	return m
}

// Gates are the feature gates that a command line leaves, or why it is refused.
type Gates struct {
	On    map[string]bool
	Error string `json:",omitempty"`
}

// commanded parses a command line as app.NewControllerManagerCommand does. Since 1.31 the gates are
// set once all of it is read, by a registry.
func commanded(words []string) (g Gates) {
	o, err := options.NewKubeControllerManagerOptions()
	if err != nil {
		panic(err)
	}
	all := pflag.NewFlagSet("kube-controller-manager", pflag.ContinueOnError)
	all.SetNormalizeFunc(cliflag.WordSepNormalizeFunc)
	groups := o.Flags(app.KnownControllers(), app.ControllersDisabledByDefault(), app.ControllerAliases())
	for _, group := range groups.FlagSets {
		all.AddFlagSet(group)
	}
	err = all.Parse(words)
	if registry := reflect.ValueOf(o).Elem().FieldByName("ComponentGlobalsRegistry"); err == nil && registry.IsValid() {
		err, _ = registry.MethodByName("Set").Call(nil)[0].Interface().(error)
	}
	if err != nil {
		return Gates{Error: err.Error()}
	}
	g.On = map[string]bool{}
	for name := range utilfeature.DefaultMutableFeatureGate.GetAll() {
		g.On[string(name)] = utilfeature.DefaultFeatureGate.Enabled(name)
	}
	return g
}

// says is the answer of a method that not every version has: 1.37 knows no cloud
// provider's controllers.
func says(d *app.ControllerDescriptor, method string) bool {
	m := reflect.ValueOf(d).MethodByName(method)
	return m.IsValid() && m.Call(nil)[0].Bool()
}

// gates are the defaults of feature gates.
func gates(names []featuregate.Feature) map[string]bool {
	all, byDefault := utilfeature.DefaultMutableFeatureGate.GetAll(), map[string]bool{}
	for _, name := range names {
		byDefault[string(name)] = all[name].Default
	}
	return byDefault
}

// started is the function that starts a controller, and its file. Up to 1.35 the
// descriptor calls it an InitFunc, then a constructor.
func started(d *app.ControllerDescriptor) (name, file string) {
	method := reflect.ValueOf(d).MethodByName("GetInitFunc")
	if !method.IsValid() {
		method = reflect.ValueOf(d).MethodByName("GetControllerConstructor")
	}
	fn := runtime.FuncForPC(method.Call(nil)[0].Pointer())
	file, _ = fn.FileLine(fn.Entry())
	_, name, _ = strings.Cut(path.Base(fn.Name()), ".")
	return name, path.Base(file)
}

// enabled says for each value of --controllers which controllers it enables, as
// the manager reads it: aliases are replaced first.
func enabled(values []string) [][]string {
	answers := make([][]string, len(values))
	aliases, disabled := app.ControllerAliases(), sets.NewString(app.ControllersDisabledByDefault()...)
	for i, value := range values {
		o, err := options.NewKubeControllerManagerOptions()
		if err != nil {
			panic(err)
		}
		o.Generic.Controllers = strings.Split(value, ",")
		cfg := config.GenericControllerManagerConfiguration{}
		if err := o.Generic.ApplyTo(&cfg, app.KnownControllers(), app.ControllersDisabledByDefault(), aliases); err != nil {
			panic(err)
		}
		answers[i] = []string{}
		for _, name := range app.KnownControllers() {
			if generic.IsControllerEnabled(name, disabled, cfg.Controllers) {
				answers[i] = append(answers[i], name)
			}
		}
	}
	return answers
}
