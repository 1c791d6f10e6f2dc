// Package graphs has graphs drawn by the programs that users draw them with:
// Graphviz, and mermaid in a browser. `make graphs` runs it; it needs dot and
// chromium (Debian's packages graphviz and chromium) and npm.
package graphs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// cluster has an object in each state that graphs show, and names that could
// upset a graph's language.
const cluster = `
deployment web selector=app=web
rs  web-1 of=deployment/web blocks app=web pod-template-hash=1 selector=app=web,pod-template-hash=1
pod a of=replicaset/web-1 blocks app=web pod-template-hash=1
pod b of=replicaset/web-1 app=canary pod-template-hash=1
pod c of=replicaset/web-1 ref=replicaset/"none"<b>[x];--> app=web pod-template-hash=1
pod end of=replicaset/web-1 app=web pod-template-hash=1 deleting
`

// shown is what every picture must show.
var shown = []string{"deployment/web", "replicaset/web-1", "pod/a", "pod/b", "pod/c", "pod/end", "being deleted", "app=canary"}

func draw(t *testing.T, format string) string {
	t.Helper()
	v, err := clusterdsl.Parse(cluster)
	if err != nil {
		t.Fatal(err)
	}
	g, err := lineage.Ask(v.Reader(), lineage.Query{
		Target: view.Target{Kind: view.Deployments, Namespace: clusterdsl.Namespace, Name: "web"},
		Down:   true, Types: view.Kinds(), Served: lineage.Held,
	})
	if err != nil {
		t.Fatal(err)
	}
	g.Nodes = append(g.Nodes, odd(g))
	var out bytes.Buffer
	if err := render.Graph(&out, g, format); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// odd is the missing owner of pod c, which a tree down does not reach.
func odd(g *lineage.Graph) lineage.Node {
	for _, e := range g.Edges {
		if g.Node(e.Owner) == nil {
			return lineage.Node{Object: e.Link.Owner}
		}
	}
	panic("no reference leads out of the graph")
}

func TestGraphvizDrawsDot(t *testing.T) {
	needed(t, "dot")
	cmd := exec.Command("dot", "-Tsvg")
	cmd.Stdin = strings.NewReader(draw(t, "dot"))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	svg, err := cmd.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	check(t, string(svg))
}

func TestABrowserDrawsMermaid(t *testing.T) {
	needed(t, "chromium")
	script := os.Getenv("MERMAID")
	if script == "" {
		t.Fatal("MERMAID does not name mermaid.min.js")
	}
	page := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(page, []byte(html(t, script, draw(t, "mermaid"))), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
		"--user-data-dir="+t.TempDir(), "--virtual-time-budget=20000", "--dump-dom", "file://"+page)
	dom, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	check(t, string(dom))
}

// html draws the text and shows the picture, or the error in its place.
func html(t *testing.T, script, text string) string {
	t.Helper()
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`<html><body><script src="file://%s"></script><script>
mermaid.initialize({startOnLoad: false, htmlLabels: false});
mermaid.render("g", %s).then(r => document.body.innerHTML = r.svg, e => document.body.textContent = "FAILED " + e);
</script></body></html>`, script, quoted)
}

// check looks for a picture and all that it must show. Words of a label may be
// in elements of their own.
func check(t *testing.T, picture string) {
	t.Helper()
	if !strings.Contains(picture, "<svg") {
		t.Fatalf("no picture: %.600s", picture)
	}
	text := textOf(picture)
	for _, want := range shown {
		if !strings.Contains(text, strings.ReplaceAll(want, " ", "")) {
			t.Errorf("the picture does not show %q", want)
		}
	}
}

// textOf is what stands between tags, without spaces.
func textOf(markup string) string {
	var b strings.Builder
	inside := false
	for _, r := range markup {
		switch {
		case r == '<':
			inside = true
		case r == '>':
			inside = false
		case !inside && r != ' ' && r != '\n':
			b.WriteRune(r)
		}
	}
	return strings.ReplaceAll(b.String(), "&#45;", "-")
}

func needed(t *testing.T, program string) {
	t.Helper()
	if os.Getenv("GRAPHS") == "" {
		t.Skip("make graphs runs this")
	}
	if _, err := exec.LookPath(program); err != nil {
		t.Fatal(err)
	}
}
