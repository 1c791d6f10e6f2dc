package browser

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cli"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// hostile are names and a message that would run, load or reorder something if
// they were more than text.
const hostile = `apiVersion: v1
kind: List
items:
- {apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: "<script>alert(1)<!--", namespace: shop, uid: u1, creationTimestamp: "2026-11-01T11:00:00Z"}, spec: {replicas: 1, selector: {matchLabels: {app: web}}}, status: {replicas: 2, conditions: [{type: ReplicaFailure, status: "True", reason: FailedCreate, message: "<img src=http://example.invalid/x onerror=alert(1)>", lastTransitionTime: "2026-11-01T11:30:00Z"}]}}
- {apiVersion: v1, kind: Pod, metadata: {name: "<b>bold", namespace: shop, uid: p1, labels: {app: web}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: "<script>alert(1)<!--", uid: u1, controller: true}]}, spec: {nodeName: n1}, status: {phase: Running}}
- {apiVersion: v1, kind: Pod, metadata: {name: "\u202egpj.exe", namespace: shop, uid: p2, labels: {app: web}}, spec: {nodeName: "javascript:alert(1)"}, status: {phase: Running}}
`

// questions are command lines with what their page must say.
var questions = map[string][]string{
	"explain rs/web-7b46c4b544 --from SHOP":                              {"Why not yet", "Actions", "1 of 6 is deleted", "Arithmetic", "Owners", "LeaseExpired"},
	"plan rs/web-7b46c4b544 --replicas 2 --from SHOP":                    {"What if", "replicaset/web-7b46c4b544", "spec.replicas", "OwnerScales"},
	"explain rs --from SHOP":                                             {"stable, 0 of 0 replicas available", "1 of 2 workloads blocked, 1 stable."},
	"plan clone/cart --until-stable --from CART":                         {"Rounds", "Unavailable", "Ends", "Ready after"},
	"plan rs/api --replicas 2 --from TIED":                               {"goes through a group without an order"},
	"explain deploy/web --from SHOP":                                     {"ReplicaSets", "Status"},
	"plan deploy/web --replicas 2 --from SHOP":                           {"After", "2 Pods kept for certain", "Ranking"},
	"orphans --from SHOP":                                                {"Will be adopted", "debug-shell", "AdoptOrphan"},
	"owners rs/web-7b46c4b544 --dependents --cascade orphan --from SHOP": {"If it is deleted (orphan)", "Is orphaned"},
	"explain rs --from HOSTILE --all-namespaces":                         {"<script>alert(1)<!--"},
	"explain rs/<script>alert(1)<!-- --from HOSTILE":                     nil,
	"orphans --from HOSTILE":                                             {`\u202egpj.exe`},
	"owners pod/<b>bold --from HOSTILE":                                  nil,
}

func TestPages(t *testing.T) {
	if os.Getenv("PAGES") == "" {
		t.Skip("make pages runs this")
	}
	dir := t.TempDir()
	b, err := start(filepath.Join(dir, "profile"))
	if err != nil {
		t.Fatalf("no browser (Debian: apt-get install chromium): %v", err)
	}
	t.Cleanup(func() {
		if err := b.close(); err != nil {
			t.Error(err)
		}
	})
	if err := os.WriteFile(filepath.Join(dir, "hostile.yaml"), []byte(hostile), 0o600); err != nil {
		t.Fatal(err)
	}
	n := 0
	for question, shown := range questions {
		n++
		page := filepath.Join(dir, fmt.Sprintf("page%d.html", n))
		t.Run(question, func(t *testing.T) { check(t, b, dir, page, question, shown) })
	}
}

// paper is the width of what is printed on A4: 190 mm.
const paper = 718

// check opens the page that answers a question, wide and narrow, light and
// dark, and printed, and looks for trouble.
func check(t *testing.T, b *browser, dir, page, question string, shown []string) {
	answer, text := answers(t, dir, question)
	if err := os.WriteFile(page, text, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{360, paper, 800, 1200, 1600} {
		for _, scheme := range []string{"light", "dark"} {
			v := view{t, b, fmt.Sprintf("%d px, %s", width, scheme)}
			v.must(b.resize(width))
			v.must(b.prefer(scheme, width == paper))
			events, err := b.open("file://" + page)
			v.must(err)
			v.quiet(events, "file://"+page)
			v.says(answer, shown)
			v.fits(width)
			v.readable()
			v.keep(question, width, scheme)
		}
	}
}

// answers runs the command for people and as a page, and returns the first
// paragraph of the one in one line, and the text of the other.
func answers(t *testing.T, dir, question string) (first string, page []byte) {
	t.Helper()
	var args []string
	for word := range strings.FieldsSeq(question) {
		word = strings.NewReplacer("SHOP", "../../docs/examples/shop.yaml", "TIED", "../../docs/examples/tied.yaml", "CART", "../../docs/examples/cart.yaml",
			"HOSTILE", filepath.Join(dir, "hostile.yaml")).Replace(word)
		args = append(args, word)
	}
	said := run(t, args...)
	paragraph, _, _ := strings.Cut(string(said), "\n\n")
	return strings.Join(strings.Fields(paragraph), " "), run(t, append(args, "-o", "html")...)
}

func run(t *testing.T, args ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	root := cli.New(cli.Env{
		Controllers: plugins.All(),
		IOStreams:   genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &out},
		Clock:       clock.RealClock{}, Getenv: func(name string) string { return map[string]string{"NO_COLOR": "1"}[name] },
		Width: func() int { return 10000 }, Name: "kubectl ctrl", Version: "v0.0.0-test",
	})
	root.SetArgs(args)
	if err := root.Execute(); err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	return out.Bytes()
}

// view is a page at one width in one scheme.
type view struct {
	*testing.T
	b    *browser
	what string
}

func (v view) must(err error) {
	v.Helper()
	if err != nil {
		v.Fatalf("%s: %v", v.what, err)
	}
}

func (v view) ask(expression string, value any) {
	v.Helper()
	v.must(v.b.ask(expression, value))
}

// quiet: the console has nothing to say, and nothing but the page is asked for.
func (v view) quiet(events []event, page string) {
	for _, e := range events {
		switch e.Method {
		case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded", "Page.javascriptDialogOpening":
			v.Errorf("%s: %s %s", v.what, e.Method, e.Params)
		case "Network.requestWillBeSent":
			if !bytes.Contains(e.Params, []byte(`"documentURL":"`+page+`"`)) || bytes.Count(e.Params, []byte(`"url":"`+page+`"`)) == 0 {
				v.Errorf("%s: asks for something: %s", v.what, e.Params)
			}
		}
	}
}

// says: the first heading is the answer, and all that must be shown is text.
func (v view) says(answer string, shown []string) {
	var heading, title, text string
	var scripts int
	v.ask(`document.querySelector("h1,h2,h3,h4,h5,h6").outerHTML.startsWith("<h1") ? document.querySelector("h1").textContent : ""`, &heading)
	v.ask("document.title", &title)
	v.ask("document.body.innerText", &text)
	v.ask(`document.querySelectorAll("script,img,iframe,object,embed,link,form,a,b,[onerror],[src],[href]").length`, &scripts)
	switch {
	case heading == "" || heading != title:
		v.Errorf("%s: the first heading is %q, the title %q", v.what, heading, title)
	case !strings.HasSuffix(heading, "."):
		v.Errorf("%s: the first heading is %q, which is no sentence", v.what, heading)
	case !strings.Contains(answer, "NAME ") && !strings.HasPrefix(answer+" ", heading+" "): // else a table
		v.Errorf("%s: the first heading is %q, want the first sentence of %q", v.what, heading, answer)
	case scripts > 0:
		v.Errorf("%s: %d elements that a page of text has no use for", v.what, scripts)
	}
	for _, want := range shown {
		if !strings.Contains(text, want) {
			v.Errorf("%s: does not say %q:\n%s", v.what, want, text)
		}
	}
}

// fits: the page is no wider than the window. Tables may scroll by themselves where that
// is narrow.
func (v view) fits(width int) {
	var cut string
	v.ask(`[...document.querySelectorAll(".scroll")].filter(e => e.scrollWidth > e.clientWidth).map(e => e.getAttribute("aria-label") + " " + e.scrollWidth).join(", ")`, &cut)
	if cut != "" && (width >= 1200 || width == paper) {
		v.Errorf("%s: tables are cut off: %s", v.what, cut)
	}
	var page int
	v.ask("document.documentElement.scrollWidth", &page)
	if page > width {
		var widest string
		v.ask(`[...document.querySelectorAll("main *")].filter(e => e.getBoundingClientRect().right > innerWidth && !e.closest(".scroll")).map(e => e.outerHTML.slice(0, 120)).slice(0, 3).join("\n")`, &widest)
		v.Errorf("%s: the page is %d px wide:\n%s", v.what, page, widest)
	}
}

// readable: every table has headers, every heading follows from the one
// before, and running text has the contrast that WCAG AA asks for.
func (v view) readable() {
	var headless, jumps int
	v.ask(`[...document.querySelectorAll("table")].filter(t => !t.querySelector("thead th[scope=col]")).length`, &headless)
	v.ask(`[...document.querySelectorAll("h1,h2,h3,h4")].map(h => +h.tagName[1]).filter((n, i, all) => i > 0 && n > all[i-1] + 1).length`, &jumps)
	if headless+jumps > 0 {
		v.Errorf("%s: %d tables without headers, %d headings too deep", v.what, headless, jumps)
	}
	var faint []string
	v.ask(contrast, &faint)
	if len(faint) > 0 {
		v.Errorf("%s: too little contrast:\n%s", v.what, strings.Join(faint, "\n"))
	}
}

// contrast lists the texts whose colour is too near to that of the page.
const contrast = `(() => {
  const lum = c => { const [r, g, b] = c.match(/[\d.]+/g).map(Number).map(v => v/255).map(v => v <= .04045 ? v/12.92 : ((v+.055)/1.055)**2.4); return .2126*r + .7152*g + .0722*b };
  const page = lum(getComputedStyle(document.body).backgroundColor);
  return [...document.querySelectorAll("main *")].filter(e => [...e.childNodes].some(n => n.nodeType == 3 && n.data.trim())).filter(e => {
    const l = lum(getComputedStyle(e).color); return (Math.max(l, page)+.05)/(Math.min(l, page)+.05) < 4.5;
  }).map(e => e.outerHTML.slice(0, 100));
})()`

// keep writes the picture to the folder that PICTURES names, for eyes.
func (v view) keep(question string, width int, scheme string) {
	dir := os.Getenv("PICTURES")
	if dir == "" {
		return
	}
	png, err := v.b.picture()
	v.must(err)
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789-", r) {
			return r
		}
		return '_'
	}, question)
	v.must(os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s.%d.%s.png", name, width, scheme)), png, 0o600))
}
