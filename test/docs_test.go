package test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestGeneratedDocsAreFresh generates docs into a scratch folder and compares.
func TestGeneratedDocsAreFresh(t *testing.T) {
	fresh := t.TempDir()
	generate(t, "./docs/generate", filepath.Join(fresh, "docs"))
	generate(t, "./docs/generate/licences", fresh)
	err := filepath.WalkDir(fresh, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(fresh, path)
		if err != nil {
			return err
		}
		want, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if got, err := os.ReadFile(filepath.Join("..", name)); err != nil || string(got) != string(want) {
			t.Errorf("%s is stale: run make docs", name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// generate runs a generator of documents.
func generate(t *testing.T, program, dir string) {
	t.Helper()
	cmd := exec.Command("go", "run", program, dir)
	cmd.Dir = ".."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", program, err, out)
	}
}

// TestLinks follows every link of every page to a file of the repository, and
// to the heading in it.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	for _, page := range pages(t) {
		text := outside.ReplaceAllString(read(t, page), "")
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			target, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			to := page
			if target != "" {
				to = filepath.Join(filepath.Dir(page), target)
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s links to %s, which does not exist", page, m[1])
			} else if anchor != "" && !anchors(read(t, to))[anchor] {
				t.Errorf("%s links to %s, but there is no such heading", page, m[1])
			}
		}
	}
}

// outside matches code, in which brackets are no links.
var outside = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")

// pages are all Markdown files.
func pages(t *testing.T) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && path != ".." && strings.HasPrefix(e.Name(), "."), e.Name() == "dist", e.Name() == "bin":
			return filepath.SkipDir
		case filepath.Ext(path) == ".md":
			all = append(all, path)
		}
		return nil
	})
	if err != nil || len(all) < 10 {
		t.Fatalf("%v: %d pages", err, len(all))
	}
	return all
}

// anchors are the names of a page's headings, as GitHub makes them: equal ones are numbered
// from the second on.
func anchors(text string) map[string]bool {
	all, equal := map[string]bool{}, map[string]int{}
	dropped := regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1) {
		name := strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")
		if n := equal[name]; n > 0 {
			all[fmt.Sprintf("%s-%d", name, n)] = true
		}
		all[name] = true
		equal[name]++
	}
	return all
}

// TestGuideShowsTheExample: the Go blocks of the guide stand in the example,
// which is compiled and tested.
func TestGuideShowsTheExample(t *testing.T) {
	code := read(t, "../docs/examples/pvcprotection/decide.go") + read(t, "../docs/examples/pvcprotection/controller.go") + read(t, "../docs/examples/pvcprotection/rules.go")
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(read(t, "../docs/adding-a-controller.md"), -1)
	if len(blocks) == 0 {
		t.Error("the guide shows no code")
	}
	for _, b := range blocks {
		if !strings.Contains(code, b[1]) {
			t.Errorf("the example does not hold this block of the guide:\n%s", b[1])
		}
	}
}

// TestK9sSnippet holds the snippet to k9s's own schema
// (internal/config/json/schemas/plugins.json), and its commands to ours.
func TestK9sSnippet(t *testing.T) {
	block := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindStringSubmatch(read(t, "../docs/k9s.md"))
	var file struct {
		Plugins map[string]struct {
			ShortCut, Description, Command string
			Scopes, Args                   []string
			Override, Confirm, Background  bool
			Dangerous, OverwriteOutput     bool
		} `json:"plugins"`
	}
	if err := yaml.UnmarshalStrict([]byte(block[1]), &file); err != nil {
		t.Fatal(err)
	}
	shortcuts := map[string]string{}
	for name, p := range file.Plugins {
		if p.ShortCut == "" || p.Description == "" || p.Command == "" || len(p.Scopes) == 0 {
			t.Errorf("%s lacks what k9s requires: %+v", name, p)
		}
		if other := shortcuts[p.ShortCut]; other != "" {
			t.Errorf("%s and %s have one shortcut", name, other)
		}
		shortcuts[p.ShortCut] = name
		command, _, _ := strings.Cut(p.Args[len(p.Args)-1], " 2>&1")
		values := strings.NewReplacer(`"`, "", "$RESOURCE_NAME", "rs", "$NAMESPACE", "shop", "$NAME", "web-7b46c4b544", "$CONTEXT", "any", "--color always", "--color never")
		words := values.Replace(command)
		if strings.Contains(words, "orphans") {
			words = strings.Replace(words, "web-7b46c4b544", "shop", 1)
		}
		t.Chdir("..")
		if out := run(words + " --from docs/examples/shop.yaml"); strings.Contains(out, "error:") {
			t.Errorf("%s: %s", words, out)
		}
		t.Chdir("test")
	}
}

// TestPluginPagesNameTheirFiles: the files that a plugin's README names exist.
func TestPluginPagesNameTheirFiles(t *testing.T) {
	for _, page := range glob(t, "../plugins/*/README.md") {
		text := read(t, page)
		for _, m := range regexp.MustCompile("`([\\w./]+\\.go)`").FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s names %s: %v", page, m[1], err)
			}
		}
	}
}

// TestReadmeHasTheFigures: the README tells the results of docs/fidelity.md.
func TestReadmeHasTheFigures(t *testing.T) {
	readme, page := strings.Join(strings.Fields(read(t, "../README.md")), " "), read(t, "../docs/fidelity.md")
	all := regexp.MustCompile(`(\d+ of \d+) scenarios agree`).FindAllStringSubmatch(page, -1)
	if len(all) == 0 {
		t.Error("docs/fidelity.md has no scenarios")
	}
	for _, agreed := range all {
		if !strings.Contains(readme, agreed[1]+" scenarios") {
			t.Errorf("docs/fidelity.md says %q, and README.md does not: bring it up to date", agreed[0])
		}
	}
	rows := regexp.MustCompile(`(?m)^\| \d[\d.]* \| (\d+) \|(?: \d+ \|)? (\d+) \|`).FindAllStringSubmatch(page, -1)
	if len(rows) == 0 {
		t.Error("docs/fidelity.md has no rows of states")
	}
	for _, row := range rows {
		if states := grouped(row[1]); row[2] != "0" || !strings.Contains(readme, states) {
			t.Errorf("README.md speaks of states without a mismatch, docs/fidelity.md of %s", row[0])
		}
	}
}

// grouped is a number as people write it: 1,000,000.
func grouped(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// TestWaitSnippet runs the snippet of docs/ci.md with a kubectl whose wait ends with each
// status: the pipeline must end with it, and undo nothing but what is stuck.
func TestWaitSnippet(t *testing.T) {
	all := snippets(t, "../docs/ci.md")
	snippet := all[len(all)-1]
	for status, want := range map[string]string{
		"0": "done", "1": "still going on after 10m", "2": "no answer", "3": "stuck\nundone", "130": "no answer", "127": "no answer",
	} {
		dir := t.TempDir()
		tool := "#!/bin/sh\ncase \"$*\" in\n'ctrl wait deploy/web -n shop --timeout 10m') exit " + status +
			" ;;\n'rollout undo deploy/web -n shop') echo undone ;;\n*) exit 99 ;;\nesac\n"
		if err := os.WriteFile(filepath.Join(dir, "kubectl"), []byte(tool), 0o700); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("sh", "-euc", snippet)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
		out, _ := cmd.CombinedOutput() // what it ends with is compared
		if got := cmd.ProcessState.ExitCode(); strconv.Itoa(got) != status || strings.TrimSpace(string(out)) != want {
			t.Errorf("status %s: ends with %d:\n%swant\n%s", status, got, out, want)
		}
	}
	if out := run("kubectl ctrl wait deploy/web -n shop --timeout 10m --help"); !strings.HasPrefix(out, "Wait until objects are stable") {
		t.Errorf("the tool does not take what the snippet says: %s", out)
	}
}
