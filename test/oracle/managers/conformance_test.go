package managers

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/manager"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/program"
)

// upstream is what test/oracle/manager says.
type upstream struct {
	Controllers []struct {
		Name                             string
		Aliases                          []string
		Gates                            map[string]bool
		Disabled, CloudProvider, Special bool
		Start, File                      string
		WorkersFlag, WorkersDefault      string
	}
	Known, DisabledByDefault []string
	Flags                    map[string]string
}

const here = ".."

// each runs a test for each version that has a program. Without $ORACLE_MORE those that
// are not built are skipped: a version takes many minutes to build.
func each(t *testing.T, test func(t *testing.T, minor int, binary string)) {
	if testing.Short() {
		t.Skip("builds and runs upstream's controller manager")
	}
	built := os.Getenv("ORACLES")
	if built == "" {
		built = filepath.Join(here, "..", "..", ".cache", "oracle")
	}
	files, err := filepath.Glob(filepath.Join(here, "manager", "*.mod"))
	if err != nil || len(files) < 2 {
		t.Fatalf("%v: %v", files, err)
	}
	for _, file := range files {
		version := strings.TrimSuffix(filepath.Base(file), ".mod")
		if version == "go" {
			continue
		}
		t.Run(version, func(t *testing.T) {
			var minor int
			if _, err := fmt.Sscanf(version, "1.%d", &minor); err != nil {
				t.Fatal(err)
			}
			binary, err := filepath.Abs(filepath.Join(built, "oracle-manager-"+version))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(binary); err != nil && os.Getenv("ORACLE_MORE") == "" {
				t.Skipf("not built: test/oracle/build.sh $ORACLES manager-%s", version)
			}
			test(t, minor, binary)
		})
	}
}

// ask runs the program.
func ask(t *testing.T, answer any, binary string, args ...string) {
	t.Helper()
	out, err := exec.Command(binary, args...).Output()
	if err == nil {
		err = json.Unmarshal(out, answer)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestTable(t *testing.T) {
	each(t, func(t *testing.T, minor int, binary string) {
		var theirs upstream
		ask(t, &theirs, binary)
		ours := manager.Kubernetes.In(minor)
		if len(ours) != len(theirs.Controllers) {
			t.Errorf("%d controllers, upstream has %d", len(ours), len(theirs.Controllers))
		}
		var names, disabled []string
		for i, c := range theirs.Controllers {
			if i < len(ours) {
				compare(t, ours[i], row{c.Name, c.Aliases, c.Gates, c.Disabled, c.CloudProvider, c.Special, c.Start, c.File, c.WorkersFlag, c.WorkersDefault})
			}
		}
		for _, c := range ours {
			names = append(names, c.Name)
			if c.DisabledByDefault {
				disabled = append(disabled, c.Name)
			}
		}
		if !slices.Equal(names, theirs.Known) || !slices.Equal(disabled, theirs.DisabledByDefault) {
			t.Errorf("known %v, %v\ndisabled by default %v, %v", names, theirs.Known, disabled, theirs.DisabledByDefault)
		}
		for flag, value := range manager.Kubernetes.Defaults {
			if got := strings.Trim(theirs.Flags[flag], "[]"); got != value {
				t.Errorf("--%s: %q, upstream %q", flag, value, got)
			}
		}
	})
}

// row is one controller upstream.
type row struct {
	name                           string
	aliases                        []string
	gates                          map[string]bool
	disabled, cloud, special       bool
	start, file, flag, flagDefault string
}

func compare(t *testing.T, c manager.Controller, theirs row) {
	t.Helper()
	ours := row{
		c.Name, c.Aliases, nil, c.DisabledByDefault, c.CloudProvider, c.First, c.Start, c.File, c.Workers.Flag, fmt.Sprint(c.Workers.Default),
	}
	for _, g := range c.Gates {
		if g.InStart {
			continue
		}
		if ours.gates == nil {
			ours.gates = map[string]bool{}
		}
		ours.gates[g.Name] = g.On
	}
	if c.Workers.Flag == "" {
		ours.flagDefault = ""
	}
	theirs.flag = strings.ReplaceAll(theirs.flag, "_", "-")
	switch {
	case theirs.cloud: // never run here, so that neither its function nor its workers count
		ours.start, ours.file, theirs.start, theirs.file = "", "", "", ""
		theirs.flag, theirs.flagDefault = "", ""
	case theirs.name == "serviceaccount-token-controller": // a closure, and the flag of another group
		theirs.start, theirs.file, theirs.flag, theirs.flagDefault = ours.start, ours.file, ours.flag, ours.flagDefault
	case theirs.name == "serviceaccount-controller":
		theirs.flag, theirs.flagDefault = "", ""
	}
	if !reflect.DeepEqual(ours, theirs) {
		t.Errorf("ours     %+v\nupstream %+v", ours, theirs)
	}
}

// TestControllersFlag: random values of --controllers enable the same controllers.
func TestControllersFlag(t *testing.T) {
	values := program.States(t, "", 3000) / 30
	each(t, func(t *testing.T, minor int, binary string) {
		random, args := rand.New(rand.NewPCG(1, uint64(minor))), []string{"*"}
		for range values {
			args = append(args, draw(random, manager.Kubernetes.In(minor)))
		}
		var answers [][]string
		ask(t, &answers, binary, args...)
		gates := func(manager.Gate) (on, set bool) { return true, true }
		for i, value := range args {
			var ours []string
			for _, s := range manager.Kubernetes.Standings(minor, minor, manager.Arguments{Flags: map[string]string{manager.ControllersFlag: value}, Gate: gates}) {
				if s.Enabled {
					ours = append(ours, s.Name)
				}
			}
			theirs := slices.DeleteFunc(answers[i], func(name string) bool {
				return slices.ContainsFunc(manager.Kubernetes.In(minor), func(c manager.Controller) bool { return c.Name == name && c.CloudProvider })
			})
			if !slices.Equal(ours, theirs) {
				t.Errorf("--controllers=%s: %v, upstream %v", value, ours, theirs)
			}
		}
	})
}

// draw makes a value of --controllers.
func draw(random *rand.Rand, all []manager.Controller) string {
	var items []string
	for range random.IntN(6) + 1 {
		c := all[random.IntN(len(all))]
		names := append([]string{c.Name}, c.Aliases...)
		item := names[random.IntN(len(names))]
		if random.IntN(2) == 0 {
			item = "-" + item
		}
		items = append(items, item)
	}
	if random.IntN(3) > 0 {
		items = slices.Insert(items, random.IntN(len(items)+1), "*")
	}
	return strings.Join(items, ",")
}
