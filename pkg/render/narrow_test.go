package render

import (
	"strings"
	"testing"
)

// TestWideLetters: columns stand below each other, and lines keep to the
// width, also where letters take two columns, or none.
func TestWideLetters(t *testing.T) {
	p := newPage(nil, Options{Width: 44})
	if err := p.grid(grid{header: []string{"NAME", "NEXT"}, text: 1, rows: [][]string{
		{"web", "名前空間の割り当てを超えました: pods を 一つ 減らしてください"},
		{"cafe\u0301", "será creado"},
	}}); err != nil {
		t.Fatal(err)
	}
	want := `NAME   NEXT
web    名前空間の割り当てを超えました: pods
       を 一つ 減らしてください
cafe` + "\u0301" + `   será creado
`
	if got := p.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for line := range strings.SplitSeq(p.String(), "\n") {
		if width(line) > 44 {
			t.Errorf("%d columns: %s", width(line), line)
		}
	}
}

// TestGridGetsNarrower: a table in full, with its sentence wrapped, with it
// below its row, and as a paragraph.
func TestGridGetsNarrower(t *testing.T) {
	for columns, want := range map[int]string{
		0: `SET   NAME    WHY
new   web-1   gets one more pod, because there is room for it
`,
		60: `SET   NAME    WHY
new   web-1   gets one more pod, because there is room for
              it
`,
		30: `SET   NAME
new   web-1
  gets one more pod, because
  there is room for it
`,
		10: `web-1
  SET new
  gets one more pod, because there is room for it
`,
	} {
		p := newPage(nil, Options{Width: columns})
		if err := p.grid(grid{header: []string{"SET", "NAME", "WHY"}, name: 1, text: 2, rows: [][]string{
			{"new", "web-1", "gets one more pod, because there is room for it"},
		}}); err != nil {
			t.Fatal(err)
		}
		if got := p.String(); got != want {
			t.Errorf("at %d columns got\n%s\nwant\n%s", columns, got, want)
		}
	}
}
