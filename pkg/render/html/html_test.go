package html_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/orphans"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render/html"
)

// evil would run, close what it stands in, reorder or drive something.
const evil = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>--></style></title>\u202e\x1b[2J{{.}}"

var about = html.About{Question: evil, Tool: evil}

// TestEveryStringIsText fills every string of every answer with what is not
// harmless, and looks for it in the page.
func TestEveryStringIsText(t *testing.T) {
	d := &decision.Decision{}
	fill(reflect.ValueOf(d).Elem(), 4)
	d.Ranking.Criteria = d.Ranking.Criteria[:1]
	check(t, "decision", func(b *strings.Builder) error { return html.Decisions(b, []*decision.Decision{d}, nil, about) })
	check(t, "decisions", func(b *strings.Builder) error {
		return html.Decisions(b, []*decision.Decision{d, d}, []render.Failure{{Message: evil}}, about)
	})
	rep := &orphans.Report{}
	fill(reflect.ValueOf(rep).Elem(), 4)
	rep.Findings[0].Group = orphans.Adopted
	check(t, "orphans", func(b *strings.Builder) error { return html.Orphans(b, rep, about) })
	g := &lineage.Graph{}
	fill(reflect.ValueOf(g).Elem(), 4)
	g.Edges = nil // all names are the same: a circle
	check(t, "owners", func(b *strings.Builder) error { return html.Owners(b, g, about) })
}

func check(t *testing.T, what string, write func(*strings.Builder) error) {
	t.Helper()
	var b strings.Builder
	if err := write(&b); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	page := b.String()
	for _, bad := range []string{"<script", "<img", "\u202e", "\x1b", "-->", "'>"} {
		if strings.Contains(page, bad) {
			i := strings.Index(page, bad)
			t.Errorf("%s: %q is in the page: %q", what, bad, page[max(0, i-80):i+20])
		}
	}
	for end, n := range map[string]int{"</head>": 1, "</style>": 1, "<h1>": 1, "</main>": 1} {
		if got := strings.Count(page, end); got != n {
			t.Errorf("%s: %s is %d times in the page, want %d", what, end, got, n)
		}
	}
	if !strings.Contains(page, "&lt;script&gt;alert(1)") || !strings.Contains(page, `\u202e`) {
		t.Errorf("%s: what was put in is not shown", what)
	}
}

// fill puts evil into every string that can be reached in a few steps, and one
// element into every list.
func fill(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(evil)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(1)
	case reflect.Interface:
		v.Set(reflect.ValueOf(evil))
	case reflect.Pointer:
		if depth > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem(), depth-1)
		}
	case reflect.Slice:
		if depth > 0 {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			fill(v.Index(0), depth-1)
		}
	case reflect.Struct:
		fillFields(v, depth)
	}
}

func fillFields(v reflect.Value, depth int) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		return
	}
	for _, field := range v.Fields() {
		if field.CanSet() {
			fill(field, depth)
		}
	}
}
