// Command licences writes which modules the program links on any platform that
// it is released for, and under which licences: docs/licences.md for people,
// and THIRD-PARTY-LICENSES, the texts, which go into every archive.
//
// A text that it does not know, or a module without one, is an error: somebody
// has to read it then.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	root := "."
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	if err := generate(root); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// generate writes both files below root.
func generate(root string) error {
	mods, err := linked("./cmd/kubectl-ctrl")
	if err != nil {
		return err
	}
	for i := range mods {
		if err := mods[i].read(); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Join(root, "docs"), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(root, "docs", "licences.md"), page(mods), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, "THIRD-PARTY-LICENSES"), texts(mods), 0o644)
}
