package main

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// plugin is the part of krew's manifest that its guide has rules for.
type plugin struct {
	APIVersion, Kind string
	Metadata         struct{ Name string }
	Spec             struct {
		Version          string
		Homepage         string
		ShortDescription string
		Description      string
		Platforms        []struct {
			Selector struct{ MatchLabels map[string]string }
			URI      string
			SHA256   string
			Bin      string
		}
	}
}

// sumsOf are made-up sums of the targets' archives.
func sumsOf(ts ...target) map[string]string {
	all := map[string]string{}
	for i, on := range ts {
		all[downloads+"/v1.2.3/"+on.archive("v1.2.3")] = strings.Repeat("a"+strconv.Itoa(i+1), 32)
	}
	return all
}

func parsed(t *testing.T, ts ...target) (plugin, string) {
	t.Helper()
	text, err := manifest("v1.2.3", sumsOf(ts...))
	if err != nil {
		t.Fatal(err)
	}
	var p plugin
	if err := yaml.UnmarshalStrict(text, &p); err != nil {
		t.Fatal(err)
	}
	return p, string(text)
}

// TestManifestFollowsTheGuide checks what krew's guide and its reviewers ask
// for and its own validation does not.
func TestManifestFollowsTheGuide(t *testing.T) {
	p, text := parsed(t, targets...)
	if !regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`).MatchString(p.Metadata.Name) {
		t.Errorf("name %q is not in kebab case", p.Metadata.Name)
	}
	if n := len(p.Spec.ShortDescription); n == 0 || n > 50 {
		t.Errorf("short description of %d characters, want at most 50", n)
	}
	for line := range strings.SplitSeq(p.Spec.Description, "\n") {
		if len(line) > 80 {
			t.Errorf("description is not wrapped at 80: %q", line)
		}
	}
	if strings.Contains(p.Spec.Description, "kubectl ") {
		t.Error("the description shows usage, which is for --help")
	}
	if strings.Contains(text, "#") {
		t.Error("the manifest holds a comment")
	}
}

func TestManifestNamesAnArchiveForEachTarget(t *testing.T) {
	p, _ := parsed(t, targets...)
	if p.Metadata.Name != name || p.Spec.Homepage != homepage || p.Spec.Version != "v1.2.3" {
		t.Errorf("%s %s of %s, want %s v1.2.3 of %s", p.Metadata.Name, p.Spec.Version, p.Spec.Homepage, name, homepage)
	}
	if len(p.Spec.Platforms) != len(targets) {
		t.Fatalf("%d platforms for %d targets", len(p.Spec.Platforms), len(targets))
	}
	sums := sumsOf(targets...)
	for i, got := range p.Spec.Platforms {
		on := targets[i]
		if got.Selector.MatchLabels["os"] != on.os || got.Selector.MatchLabels["arch"] != on.arch {
			t.Errorf("%s: selector %v", on, got.Selector.MatchLabels)
		}
		if uri := downloads + "/v1.2.3/" + on.archive("v1.2.3"); got.URI != uri || got.SHA256 != sums[uri] {
			t.Errorf("%s: %s, sum %s; want %s, %s", on, got.URI, got.SHA256, uri, sums[uri])
		}
		if got.Bin != binary(on) {
			t.Errorf("%s: bin %s, want %s", on, got.Bin, binary(on))
		}
	}
}

// TestManifestOfSomeTargets: a release for one machine names its archive only, and
// an archive that the template does not name is an error.
func TestManifestOfSomeTargets(t *testing.T) {
	p, _ := parsed(t, targets[3])
	if len(p.Spec.Platforms) != 1 || p.Spec.Platforms[0].Selector.MatchLabels["os"] != targets[3].os {
		t.Errorf("of %s: %v", targets[3], p.Spec.Platforms)
	}
	if _, err := manifest("v1.2.3", sumsOf(target{"plan9", "amd64"})); err == nil {
		t.Error("an archive for plan9 is left out")
	}
}
