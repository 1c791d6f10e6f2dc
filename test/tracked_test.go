package test

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// mostTracked is more than the largest text here takes, in bytes, and less than any program.
const mostTracked = 1 << 20

// TestTracksNoProgram: what a build leaves behind is not committed.
func TestTracksNoProgram(t *testing.T) {
	cmd := exec.Command("git", "ls-tree", "-r", "-l", "-z", "--full-tree", "HEAD")
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("no repository: %v", err)
	}
	files := strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
	for _, file := range files {
		about, name, _ := strings.Cut(file, "\t")
		if size, err := strconv.Atoi(about[strings.LastIndex(about, " ")+1:]); err != nil || size > mostTracked {
			t.Errorf("%s has %d bytes, %v", name, size, err)
		}
	}
	if len(files) < 100 {
		t.Errorf("%d files", len(files))
	}
}
