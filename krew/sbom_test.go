package main

import (
	"regexp"
	"runtime/debug"
	"strings"
	"testing"
)

var built = &debug.BuildInfo{
	GoVersion: "go1.26.8",
	Main:      debug.Module{Path: "example.com/plugin"},
	Deps: []*debug.Module{
		{Path: "example.com/a/v2", Version: "v2.0.0", Sum: "h1:a="},
		{Path: "example.com/b", Version: "v1.0.0+incompatible", Sum: "h1:b="},
	},
}

const licensed = "| module | version | licence |\n|---|---|---|\n| Go standard library | of the compiler | BSD-3-Clause |\n" +
	"| example.com/a/v2 | v2.0.0 | MIT |\n| example.com/b | v1.0.0+incompatible | Apache-2.0; BSD-3-Clause |\n"

func TestSBOMNamesEveryModuleWithItsLicence(t *testing.T) {
	doc, err := sbom{"x.tar.gz", "0123", "v1.2.3", earliest, licencesOf(licensed)}.document(built)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range doc.Packages {
		got = append(got, p.Name+" "+p.Version+" "+p.Declared+" "+p.References[0].Locator)
	}
	want := `example.com/plugin v1.2.3 Apache-2.0 pkg:golang/example.com/plugin@v1.2.3
stdlib 1.26.8 BSD-3-Clause pkg:golang/stdlib@1.26.8
example.com/a/v2 v2.0.0 MIT pkg:golang/example.com/a/v2@v2.0.0
example.com/b v1.0.0+incompatible Apache-2.0 AND BSD-3-Clause pkg:golang/example.com/b@v1.0.0%2Bincompatible`
	if strings.Join(got, "\n") != want {
		t.Errorf("packages\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	if sums := doc.Packages[0].Checksums; len(sums) != 1 || sums[0].Value != "0123" {
		t.Errorf("the archive has the checksums %v", sums)
	}
}

// TestSBOMRefersToWhatItHas: identifiers are of SPDX's form, each is one package's,
// and relationships are between such.
func TestSBOMRefersToWhatItHas(t *testing.T) {
	doc, err := sbom{"x.tar.gz", "0123", "v1.2.3", earliest, licencesOf(licensed)}.document(built)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{doc.ID: true}
	for _, p := range doc.Packages {
		if known[p.ID] || !regexp.MustCompile(`^SPDXRef-[A-Za-z0-9.-]+$`).MatchString(p.ID) {
			t.Errorf("%s has the identifier %q", p.Name, p.ID)
		}
		known[p.ID] = true
	}
	if len(doc.Relationships) != len(doc.Packages) {
		t.Errorf("%d relationships for %d packages", len(doc.Relationships), len(doc.Packages))
	}
	for _, r := range doc.Relationships {
		if !known[r.From] || !known[r.To] {
			t.Errorf("%v names what the document does not have", r)
		}
	}
}

func TestSBOMWantsLicences(t *testing.T) {
	_, err := sbom{licences: licencesOf("| example.com/b | v1.0.0+incompatible | MIT |\n")}.document(built)
	if err == nil || !strings.Contains(err.Error(), "example.com/a/v2 v2.0.0") {
		t.Errorf("a module without a licence: %v", err)
	}
}
