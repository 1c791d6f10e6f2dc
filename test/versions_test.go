package test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
)

// TestVersionTellsEveryChange: each release of Kubernetes that code asks for is one
// since which kubectl ctrl version reports a change, and each such change that is no
// feature gate's is asked for.
func TestVersionTellsEveryChange(t *testing.T) {
	asked := map[string]bool{}
	for _, pattern := range []string{"../plugins/replicaset/*.go", "../plugins/deployment/*.go", "../plugins/statefulset/*.go", "../pkg/*/*.go"} {
		for _, path := range glob(t, pattern) {
			for _, m := range regexp.MustCompile(`\.AtLeast\((\d+), (\d+)\)`).FindAllStringSubmatch(read(t, path), -1) {
				asked["1."+m[1]+"."+m[2]] = true
			}
		}
	}
	reported := map[string]bool{}
	for _, c := range profile.ChangesSince(profile.Oldest) {
		if strings.HasPrefix(c.What, "feature gate ") {
			continue
		}
		reported[c.Since.String()] = true
		if !asked[c.Since.String()] {
			t.Errorf("no code asks for %s: %s", c.Since, c.What)
		}
	}
	for version := range asked {
		if !reported[version] {
			t.Errorf("code asks for Kubernetes %s: say in pkg/profile/changes.go what changed", version)
		}
	}
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
