package main

import (
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// plugin is the part of krew's manifest that its guide has rules for.
type plugin struct {
	Metadata struct{ Name string }
	Spec     struct {
		Version          string
		ShortDescription string
		Description      string
		Platforms        []struct {
			Selector struct{ MatchLabels map[string]string }
			URI      string
			Bin      string
		}
	}
}

func parsed(t *testing.T) (plugin, string) {
	t.Helper()
	var platforms []platform
	for _, on := range targets {
		platforms = append(platforms, platform{on.os, on.arch, downloads + "/v1.2.3/" + on.archive("v1.2.3"), strings.Repeat("0", 64), binary(on)})
	}
	text, err := manifest("v1.2.3", platforms)
	if err != nil {
		t.Fatal(err)
	}
	var p plugin
	if err := yaml.Unmarshal(text, &p); err != nil {
		t.Fatal(err)
	}
	return p, string(text)
}

// TestManifestFollowsTheGuide checks what krew's guide and its reviewers ask
// for and its own validation does not.
func TestManifestFollowsTheGuide(t *testing.T) {
	p, text := parsed(t)
	if !regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`).MatchString(p.Metadata.Name) {
		t.Errorf("name %q is not in kebab case", p.Metadata.Name)
	}
	if n := len(p.Spec.ShortDescription); n == 0 || n > 50 {
		t.Errorf("short description of %d characters, want at most 50", n)
	}
	for _, line := range strings.Split(p.Spec.Description, "\n") {
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
	p, _ := parsed(t)
	if len(p.Spec.Platforms) != len(targets) {
		t.Fatalf("%d platforms for %d targets", len(p.Spec.Platforms), len(targets))
	}
	for i, got := range p.Spec.Platforms {
		on := targets[i]
		if got.Selector.MatchLabels["os"] != on.os || got.Selector.MatchLabels["arch"] != on.arch {
			t.Errorf("%s: selector %v", on, got.Selector.MatchLabels)
		}
		if !strings.HasPrefix(got.URI, "https://") || !strings.HasSuffix(got.URI, "/v1.2.3/"+on.archive("v1.2.3")) {
			t.Errorf("%s: uri %s", on, got.URI)
		}
		if strings.HasSuffix(got.Bin, ".exe") != (on.os == windows) {
			t.Errorf("%s: bin %s", on, got.Bin)
		}
	}
}
