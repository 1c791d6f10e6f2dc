package test

import (
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// TestVersionTellsEveryChange: each release of Kubernetes that code asks for is one since
// which kubectl ctrl version reports a change, and each such change that is no feature
// gate's is asked for: those that a controller declares in its own folder.
func TestVersionTellsEveryChange(t *testing.T) {
	shared, everywhere := reported(profile.Releases{}), asked(t, "../pkg")
	for v := range everywhere {
		if _, told := reported(plugins.All().Releases())[v]; !told {
			t.Errorf("../pkg asks for Kubernetes %s: say in pkg/profile/changes.go what changed", v)
		}
	}
	for _, c := range plugins.All() {
		if c.Agent != nil && c.Agent.Program != nil {
			continue // of another product
		}
		own, dir := reported(profile.Releases{Changes: c.Releases.Changes}), "../plugins/"+c.ID
		asks := asked(t, dir)
		for v := range asks {
			if _, told := own[v]; !told {
				t.Errorf("%s asks for Kubernetes %s: say in its releases.go what changed", dir, v)
			}
		}
		for _, change := range c.Releases.Changes {
			if !asks[change.Since.String()] {
				t.Errorf("nothing in %s asks for %s: %s", dir, change.Since, change.What)
			}
		}
		maps.Copy(everywhere, asks)
	}
	for v, what := range shared {
		if !everywhere[v] {
			t.Errorf("no code asks for %s: %s", v, what)
		}
	}
}

// reported are the changes that no feature gate switches, by release.
func reported(r profile.Releases) map[string]string {
	all := map[string]string{}
	for _, c := range r.ChangesSince(profile.Oldest) {
		if !strings.HasPrefix(c.What, "feature gate ") {
			all[c.Since.String()] = c.What
		}
	}
	return all
}

// asked are the releases that the code of a folder asks for.
func asked(t *testing.T, dir string) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		for _, m := range regexp.MustCompile(`\.AtLeast\((\d+), (\d+)\)`).FindAllStringSubmatch(read(t, path), -1) {
			all["1."+m[1]+"."+m[2]] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestComparedReleasesHaveOracles: those that kubectl ctrl version calls compared are
// the ones whose controllers the oracles are compiled from.
func TestComparedReleasesHaveOracles(t *testing.T) {
	var built []string
	for _, path := range append(glob(t, "oracle/kubernetes-*/go.mod"), glob(t, "oracle/more/kubernetes-*/go.mod")...) {
		for _, r := range parseModfile(t, path).Require {
			if r.Path == "k8s.io/kubernetes" {
				built = append(built, strings.TrimPrefix(r.Version, "v"))
			}
		}
	}
	var told []string
	for _, v := range profile.Compared() {
		told = append(told, v.String())
	}
	slices.Sort(built)
	slices.Sort(told)
	if !slices.Equal(built, told) {
		t.Errorf("oracles of %v, compared in pkg/profile/standing.go: %v", built, told)
	}
}

// glob are the files of a pattern that are no tests.
func glob(t *testing.T, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob(pattern)
	if err != nil || len(found) == 0 {
		t.Fatalf("%s: %d files (%v)", pattern, len(found), err)
	}
	return slices.DeleteFunc(found, func(path string) bool { return strings.HasSuffix(path, "_test.go") })
}
