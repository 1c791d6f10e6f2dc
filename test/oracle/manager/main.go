// Command manager says which controllers one version of kube-controller-manager
// has, and how its flags are set by default: what upstream's own descriptors and
// options answer, as JSON. With arguments, each is a value of --controllers, and
// it says instead which controllers each value enables.
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
	if values := os.Args[1:]; len(values) > 0 {
		answer = enabled(values)
	} else {
		answer = manager()
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
