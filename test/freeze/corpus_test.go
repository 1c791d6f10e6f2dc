package main

import (
	"os"
	"strings"
	"testing"
)

// TestCorpus wants every sketch of the goldens in the corpus, and questions
// about each cluster.
func TestCorpus(t *testing.T) {
	t.Chdir("../..")
	all, err := clusters(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 400 {
		t.Errorf("%d clusters, want those of all goldens, which are more than 400", len(all))
	}
	for _, c := range all {
		if text, err := os.ReadFile(c.file); err != nil || len(text) == 0 {
			t.Errorf("%s: %d bytes, %v", c.name, len(text), err)
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
		diff, err := compare("testdata/one", "testdata/two", question)
		if err != nil || (diff != "") != differ {
			t.Errorf("%s: %v, difference %q", question, err, diff)
		}
	}
}
