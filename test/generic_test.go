package test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// knowers are the files of generic code that may name a modelled controller's
// kind, with the reason.
var knowers = map[string]string{
	"pkg/ownership/claimers.go":        "it lists which kinds own which, for all kinds that Kubernetes and Kruise have",
	"pkg/ownership/adopters.go":        "it lists which kinds adopt which",
	"pkg/ownership/adopters_kruise.go": "it lists which of Kruise's kinds adopt Pods",
	"pkg/ownership/absent.go":          "ReplicaSets and ReplicationControllers that a file lacks may adopt by any selector",
	"pkg/orphans/find.go":              "it lists the kinds that orphans are looked for among",
	"pkg/orphans/orphan.go":            "ReplicaSets without an owner are told apart by revision",
	"pkg/orphans/overlap.go":           "Pods and ReplicaSets are adopted by selector",
	"pkg/orphans/owned.go":             "Pods and ReplicaSets are released by selector",
	"pkg/orphans/leftbehind.go":        "volume claims that a CloneSet uses again are no orphans",
}

// TestGenericCodeKnowsNoController: what a controller differs by, it says of
// itself. Package view is where the kinds are defined.
func TestGenericCodeKnowsNoController(t *testing.T) {
	modelled := regexp.MustCompile(`\bview\.(ReplicaSets|ReplicationControllers|Deployments|CloneSets)\b|kubectl-ctrl/plugins`)
	found := map[string]bool{}
	err := filepath.WalkDir("../pkg", func(path string, e fs.DirEntry, err error) error {
		name := filepath.ToSlash(strings.TrimPrefix(path, "../"))
		if err != nil || e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "pkg/view/") {
			return err
		}
		text, err := os.ReadFile(path)
		if m := modelled.Find(text); m != nil {
			found[name] = true
			if knowers[name] == "" {
				t.Errorf("%s knows %s", name, m)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range knowers {
		if !found[name] {
			t.Errorf("%s knows no controller any more: take it off the list", name)
		}
	}
}
