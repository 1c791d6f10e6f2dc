package test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cli"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/columns"
)

var update = flag.Bool("update", false, "write the output of the documents' commands into them")

// console is a block of a document that shows commands with their output.
var console = regexp.MustCompile("(?s)```console\n(.*?)```")

// drawing is a figure of a document, with the command that draws it in a comment above.
var drawing = regexp.MustCompile("(?s)<!-- (kubectl ctrl [^\n]*) -->\n```mermaid\n.*?```")

// redraw is a figure as its command draws it now.
func redraw(block string) string {
	command := drawing.FindStringSubmatch(block)[1]
	return "<!-- " + command + " -->\n```mermaid\n" + run(command) + "```"
}

// TestDocumentsShowWhatTheyRun runs every command of every console block in
// README.md and docs/, and that of every figure, and compares the output with what
// stands below it. With -update it writes the output there.
func TestDocumentsShowWhatTheyRun(t *testing.T) {
	t.Chdir("..")
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, "README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		fresh := console.ReplaceAllStringFunc(string(text), rerun)
		fresh = drawing.ReplaceAllStringFunc(fresh, redraw)
		if *update && fresh != string(text) {
			if err := os.WriteFile(page, []byte(fresh), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if diff := cmp.Diff(string(text), fresh); diff != "" {
			t.Errorf("%s shows what its commands don't print (-page +run); make docs mends that\n%s", page, diff)
		}
	}
}

// TestDocumentsShowShortLines: what documents show fits the columns that people read.
func TestDocumentsShowShortLines(t *testing.T) {
	pages, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, "../README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range console.FindAllStringSubmatch(string(text), -1) {
			for _, part := range strings.Split("\n"+block[1], "\n$ kubectl ctrl ")[1:] {
				command, answer, _ := strings.Cut(part, "\n")
				if !columns.Wrapped(strings.Fields(command)) {
					continue
				}
				for _, line := range columns.Long(answer) {
					t.Errorf("%s: %s prints more than %d columns: %s", page, command, columns.Most, line)
				}
			}
		}
	}
}

// rerun is a console block with the output that its commands have now.
func rerun(block string) string {
	var b strings.Builder
	b.WriteString("```console\n")
	for i, command := range commands(console.FindStringSubmatch(block)[1]) {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString("$ " + command + "\n" + run(command))
	}
	return b.String() + "```"
}

// commands are the "$ " lines of a block.
func commands(block string) []string {
	var all []string
	for line := range strings.SplitSeq(block, "\n") {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			all = append(all, strings.TrimSpace(command))
		}
	}
	return all
}

// filtered is a command whose output goes through grep -E.
var filtered = regexp.MustCompile(`^(.*?) \| grep -E '(.*)'$`)

// run runs "kubectl ctrl …" in this process, with the lines that a grep -E behind it
// lets through. Arguments hold no spaces.
func run(command string) string {
	m := filtered.FindStringSubmatch(command)
	if m == nil {
		return runWhole(command)
	}
	var out strings.Builder
	wanted := regexp.MustCompile(m[2])
	for line := range strings.Lines(runWhole(m[1])) {
		if wanted.MatchString(strings.TrimSuffix(line, "\n")) {
			out.WriteString(line)
		}
	}
	return out.String()
}

func runWhole(command string) string {
	var out bytes.Buffer
	root := cli.New(cli.Env{
		Controllers: plugins.All(),
		IOStreams:   genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &out},
		Clock:       clock.RealClock{}, Getenv: func(string) string { return "" },
		Width: func() int { return 0 }, Name: "kubectl ctrl", Version: "docs",
	})
	root.SetArgs(strings.Fields(strings.TrimPrefix(command, "kubectl ctrl")))
	if _, text := cli.ExitStatus(root.Execute()); text != "" {
		out.WriteString(text + "\n")
	}
	return out.String()
}
