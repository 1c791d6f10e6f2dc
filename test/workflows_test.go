package test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// workflow is what is checked here of a file in .github/workflows; actionlint,
// which make check runs, checks the rest.
type workflow struct {
	Permissions map[string]string
	Jobs        map[string]job
}

type job struct {
	Permissions map[string]string
	Timeout     int `json:"timeout-minutes"`
	Uses        string
	Strategy    struct{ Matrix map[string][]string }
	Steps       []step
}

type step struct {
	Uses, Run string
	Dir       string `json:"working-directory"`
	With      map[string]any
}

// writers are the jobs that may do more than read the repository, with what.
var writers = map[string][]string{
	"release.yml/publish": {"attestations: write", "contents: write", "id-token: write"},
}

func TestWorkflowsHaveNoMoreRightsThanTheyNeed(t *testing.T) {
	for name, w := range workflows(t) {
		if got := granted(w.Permissions); !slices.Equal(got, []string{"contents: read"}) {
			t.Errorf("%s: permissions %v, want contents: read", name, got)
		}
		for id, j := range w.Jobs {
			if got := granted(j.Permissions); !slices.Equal(got, writers[name+"/"+id]) {
				t.Errorf("%s: job %s has permissions %v, want %v", name, id, got, writers[name+"/"+id])
			}
			if j.Uses == "" && j.Timeout == 0 {
				t.Errorf("%s: job %s has no timeout-minutes", name, id)
			}
		}
	}
}

// pinned is an action of a commit, or of a whole version.
var pinned = regexp.MustCompile(`^[\w-]+/[\w-]+(/\w+)?@([0-9a-f]{40}|v\d+\.\d+\.\d+)$`)

func TestActionsArePinned(t *testing.T) {
	release := parseModfile(t, "../go.mod").Go
	minor := release[:strings.LastIndex(release, ".")]
	each(t, func(where string, s step) {
		if s.Uses != "" && !pinned.MatchString(s.Uses) {
			t.Errorf("%s: %s is not pinned", where, s.Uses)
		}
		if strings.HasPrefix(s.Uses, "actions/checkout@") && s.With["persist-credentials"] != false {
			t.Errorf("%s: checkout leaves the token in .git/config", where)
		}
		if strings.HasPrefix(s.Uses, "actions/setup-go@") && s.With["go-version"] != minor+".x" {
			t.Errorf("%s: Go %v, while go.mod wants %s", where, s.With["go-version"], minor)
		}
	})
}

// TestWorkflowsRunWhatExists: targets of make, and folders of tests.
func TestWorkflowsRunWhatExists(t *testing.T) {
	makefile := read(t, "../Makefile")
	targets := regexp.MustCompile(`\bmake ([\w-]+)`)
	folders := regexp.MustCompile(`(?:^| )\./([\w/-]+\w)`)
	check := func(where, dir, text string) {
		for _, m := range targets.FindAllStringSubmatch(text, -1) {
			if !strings.Contains(makefile, "\n"+m[1]+":") {
				t.Errorf("%s: the Makefile has no target %s", where, m[1])
			}
		}
		for _, m := range folders.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join("..", dir, m[1])); err != nil {
				t.Errorf("%s: %v", where, err)
			}
		}
	}
	each(t, func(where string, s step) { check(where, s.Dir, s.Run) })
	for name, w := range workflows(t) {
		for id, j := range w.Jobs {
			for _, packages := range j.Strategy.Matrix["packages"] {
				check(name+"/"+id, "", packages)
			}
		}
	}
}

// TestEveryTestRunsInCI: what make test runs beside make check, jobs run as well.
func TestEveryTestRunsInCI(t *testing.T) {
	var patterns []string
	for _, j := range workflows(t)["ci.yml"].Jobs {
		patterns = append(patterns, strings.Fields(strings.Join(j.Strategy.Matrix["packages"], " "))...)
	}
	list := exec.Command("go", "list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}",
		"./oracle/...", "./e2e/...", "./controlplane/...", "./rollouts/...", "./krew/...")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for path := range strings.FieldsSeq(string(out)) {
		name := "./" + strings.TrimPrefix(path, module)
		tested := slices.ContainsFunc(patterns, func(pattern string) bool {
			above, tree := strings.CutSuffix(pattern, "/...")
			return name == above || tree && strings.HasPrefix(name, above+"/")
		})
		if !tested {
			t.Errorf("no job of ci.yml tests %s", name)
		}
	}
}

// TestTargetsOfTestRunInCI: what make test depends on, jobs make as well.
func TestTargetsOfTestRunInCI(t *testing.T) {
	made := map[string]bool{}
	for _, j := range workflows(t)["ci.yml"].Jobs {
		for _, s := range j.Steps {
			if target, ok := strings.CutPrefix(s.Run, "make "); ok {
				made[target] = true
			}
		}
	}
	needs := regexp.MustCompile(`(?m)^test: ([^#\n]+)`).FindStringSubmatch(read(t, "../Makefile"))
	if needs == nil {
		t.Fatal("the Makefile has no target test with what it depends on")
	}
	for target := range strings.FieldsSeq(needs[1]) {
		if !made[target] {
			t.Errorf("no job of ci.yml runs make %s", target)
		}
	}
}

// granted are the entries of a block of permissions, in order.
func granted(permissions map[string]string) []string {
	var all []string
	for scope, level := range permissions {
		all = append(all, scope+": "+level)
	}
	slices.Sort(all)
	return all
}

// each calls f for every step of every workflow.
func each(t *testing.T, f func(where string, s step)) {
	t.Helper()
	for name, w := range workflows(t) {
		for id, j := range w.Jobs {
			for _, s := range j.Steps {
				f(name+"/"+id, s)
			}
		}
	}
}

func workflows(t *testing.T) map[string]workflow {
	t.Helper()
	all := map[string]workflow{}
	for _, path := range glob(t, "../.github/workflows/*.yml") {
		var w workflow
		if err := yaml.Unmarshal([]byte(read(t, path)), &w); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		all[filepath.Base(path)] = w
	}
	return all
}
