package main

import (
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/spf13/cobra/doc"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cli"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// manPages are a page for each command, as man finds them below a folder of MANPATH.
func manPages(version string, date time.Time) ([]entry, error) {
	dir, err := os.MkdirTemp("", "man-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	root := cli.New(cli.Env{Controllers: plugins.All(), Name: "kubectl " + name, Version: version})
	root.DisableAutoGenTag = true
	root.PersistentFlags().Lookup("cache-dir").DefValue = "$HOME/.kube/cache" // not the builder's home
	header := &doc.GenManHeader{Section: "1", Date: &date, Source: "kubectl-" + file() + " " + version, Manual: "kubectl plugins"}
	if err := doc.GenManTree(root, header, dir); err != nil {
		return nil, err
	}
	files, err := os.ReadDir(dir) // in alphabetical order
	if err != nil {
		return nil, err
	}
	var pages []entry
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return nil, err
		}
		pages = append(pages, entry{path.Join("man", "man1", f.Name()), 0o644, text})
	}
	return pages, nil
}
