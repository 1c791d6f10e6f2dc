package main

import (
	"go/parser"
	"go/token"
	"testing"
)

// atLeast is the smallest number of mutants that the lists may have.
const atLeast = 60

// TestLists keeps the lists fit for use: every mutant still finds its text,
// once, and leaves a file that parses.
func TestLists(t *testing.T) {
	all, err := read()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < atLeast {
		t.Errorf("%d mutants, want %d or more", len(all), atLeast)
	}
	seen := map[string]bool{}
	for _, m := range all {
		if seen[m.Name] {
			t.Errorf("two mutants are named %q", m.Name)
		}
		seen[m.Name] = true
		text, err := m.broken("../..")
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), m.File, text, parser.SkipObjectResolution); err != nil {
			t.Errorf("mutant %q: %v", m.Name, err)
		}
	}
}
