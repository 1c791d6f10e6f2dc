package main

import (
	"strings"
	"testing"
)

// TestManPages: a page for each command, which names the release and its date and
// nothing of the machine.
func TestManPages(t *testing.T) {
	t.Setenv("HOME", "/home/builder")
	pages, err := manPages("v1.2.3", earliest)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for _, p := range pages {
		names[p.name] = string(p.data)
		if strings.Contains(string(p.data), "/home/builder") {
			t.Errorf("%s names the builder's home", p.name)
		}
	}
	for _, want := range []string{"man/man1/kubectl-" + name + ".1", "man/man1/kubectl-" + name + "-explain.1"} {
		_, title, _ := strings.Cut(names[want], ".TH ")
		if !strings.Contains(title, `"Jan 1980" "kubectl-`+file()+` v1.2.3"`) {
			t.Errorf("%s begins with %.200q", want, names[want])
		}
	}
}
