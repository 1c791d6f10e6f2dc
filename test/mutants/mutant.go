package main

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"
)

//go:embed lists/*.yaml
var lists embed.FS

// Mutant is one small break.
type Mutant struct {
	// Name says what is wrong then.
	Name string `json:"name"`
	// File is the path of the broken file below the root of the repository.
	File string `json:"file"`
	// From is a piece of the file that occurs in it once, To what replaces it.
	From string `json:"from"`
	To   string `json:"to"`
	// Oracle is why only the oracles can notice it, empty for all others.
	Oracle string `json:"oracle,omitempty"`
}

// read returns the mutants of all lists.
func read() ([]Mutant, error) {
	paths, err := fs.Glob(lists, "lists/*.yaml")
	if err != nil {
		return nil, err
	}
	var all []Mutant
	for _, path := range paths {
		text, err := lists.ReadFile(path)
		if err != nil {
			return nil, err
		}
		var some []Mutant
		if err := yaml.UnmarshalStrict(text, &some); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, some...)
	}
	return all, nil
}

// broken is the text of the mutant's file with the break in it.
func (m Mutant) broken(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, m.File))
	if err != nil {
		return "", err
	}
	switch n := strings.Count(string(text), m.From); {
	case m.From == m.To:
		return "", fmt.Errorf("mutant %q changes nothing", m.Name)
	case n != 1:
		return "", fmt.Errorf("mutant %q: its text occurs %d times in %s, want once", m.Name, n, m.File)
	}
	return strings.Replace(string(text), m.From, m.To, 1), nil
}
