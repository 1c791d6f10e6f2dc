package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// TestCorpusAsksEveryController: each kind that is modelled is asked about, in several
// clusters.
func TestCorpusAsksEveryController(t *testing.T) {
	t.Chdir("../..")
	all, err := clusters(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range plugins.All().Kinds() {
		asked := 0
		for _, c := range all {
			if slices.ContainsFunc(strings.Split(c.types, ","), kind.Named) {
				asked++
			}
		}
		if asked < 5 {
			t.Errorf("%s are asked about in %d clusters, want 5 or more", kind.Resource, asked)
		}
	}
}

// TestCorpus wants every sketch of the goldens in the corpus, and questions
// about each cluster.
func TestCorpus(t *testing.T) {
	t.Chdir("../..")
	dir := t.TempDir()
	all, err := clusters(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 400 {
		t.Errorf("%d clusters, want those of all goldens, which are more than 400", len(all))
	}
	for _, c := range all {
		text, err := os.ReadFile(c.file)
		if err != nil || len(text) == 0 {
			t.Errorf("%s: %d bytes, %v", c.name, len(text), err)
		}
		if written := strings.HasPrefix(c.file, dir); written && strings.Contains(string(text), "detail: metadata") {
			t.Errorf("%s holds metadata alone, on which nothing can be decided", c.name)
		}
		for _, verb := range verbs {
			for _, q := range c.questions(verb) {
				if strings.Contains(q, "TYPES") || strings.Contains(q, "ONE") || !strings.HasSuffix(q, c.file) {
					t.Errorf("%s: %q is no command line", c.name, q)
				}
			}
		}
	}
}

// TestCompare wants a difference seen, in the text and in the status.
func TestCompare(t *testing.T) {
	for question, differ := range map[string]bool{"same": false, "other": true} {
		got, err := compare("testdata/one", "testdata/two", question)
		if err != nil || (got.diff != "") != differ || got.failed {
			t.Errorf("%s: %v, difference %q", question, err, got.diff)
		}
	}
}

// TestDifference: what is too long to be compared line by line differs all the same.
func TestDifference(t *testing.T) {
	long := strings.Repeat("x", mostText)
	for _, c := range []struct {
		was, is string
		differ  bool
	}{{"a", "a", false}, {"a", "b", true}, {long, long, false}, {long, long + "y", true}} {
		if got := difference(c.was, c.is); (got != "") != c.differ || len(got) > 100 {
			t.Errorf("%d and %d bytes: %d bytes of difference, want one: %v", len(c.was), len(c.is), len(got), c.differ)
		}
	}
}
