package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPage: a report that is not there is named, and leaves no section.
func TestPage(t *testing.T) {
	dir := t.TempDir()
	paths := make([]string, len(comparisons))
	for i := range paths {
		paths[i] = filepath.Join(dir, comparisons[i])
	}
	report := `{"versions":[{"version":"1.36","states":10,"syncs":40,"bodies":3,"comparisons":4950,"deciders":7,"claims":9,"rules":{"A":2},"effects":{"creates Pods":5}}],"rules":["A","B"],"beyond":["B"]}`
	if err := os.WriteFile(paths[0], []byte(report), 0o600); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := run(paths, &b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| 1.36 | 10 | 40 | 0 | 3 | 4950 | 7 | 9 |\n", "| creates Pods | 5 |\n", "| A | 2 |\n", "\nB speak of", "Not part of this run: syncs of Deployments, syncs of StatefulSets,"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if n := strings.Count(b.String(), "\n## "); n != 1 {
		t.Errorf("%d sections for one report:\n%s", n, b.String())
	}
}
