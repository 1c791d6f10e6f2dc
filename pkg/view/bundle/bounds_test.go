package bundle

import (
	"fmt"
	"strings"
	"testing"
)

// Input that is small but would be huge, or nested without end, is an error
// and neither a crash nor a long wait.
func TestBounds(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"aliases of aliases", aliasBomb(), "excessive aliasing"},
		{"aliases of a long text", "a: &a " + strings.Repeat("x", 1<<20) + "\nb: [" + strings.Repeat("*a, ", 50) + "*a]\n", "aliases make this document too large"},
		{"deep YAML", "a: " + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + "\n", "nested deeper than 200"},
		{"deeper YAML", "a: " + strings.Repeat("[", 1<<20), "exceeded max depth"},
		{"deep JSON", `{"a": ` + strings.Repeat("[", 1<<20), "exceeded max depth"},
		{"lists in lists", nestedLists(20), "lists are nested deeper than 8"},
		{"itself", "a: &a [*a]\n", "contains itself"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Open([]string{"-"}, strings.NewReader(tc.text), Options{})
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %s", err, tc.want)
			}
		})
	}
}

func aliasBomb() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 10; i++ {
		alias := fmt.Sprintf("*a%d", i-1)
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.Join([]string{alias, alias, alias, alias, alias, alias, alias, alias, alias}, ", "))
	}
	return b.String()
}

func nestedLists(depth int) string {
	const open = `{"apiVersion": "v1", "kind": "List", "items": [`
	return strings.Repeat(open, depth) + strings.Repeat("]}", depth)
}

// A text inside an object may look like the items of a list.
func TestListLookalikes(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"text with dashes", "kind: List\napiVersion: v1\nx: |\n  items:\n  - a\nitems:\n- " + indented(onePod), "pod/shop/web"},
		{"open quote before", "kind: List\napiVersion: v1\nx: \"\nitems:\n- a\n\"\nitems:\n- " + indented(onePod), "pod/shop/web"},
		{"open quote in item", "kind: List\napiVersion: v1\nitems:\n- " + indented(onePod) + "  x: \"\n- a\"\n", "pod/shop/web"},
		{"items of another kind", "kind: Basket\napiVersion: v1\nitems:\n- kind: Pod\n", ""},
		{"items twice", "kind: List\napiVersion: v1\nitems:\n- a: b\nitems:\n- " + indented(onePod), "pod/shop/web"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := documents("x.yaml", []byte(tc.text))[0]
			var got []string
			err := d.scan(func(p piece) error {
				if p.Kind == "Pod" {
					got = append(got, p.name(p.Kind))
				}
				return nil
			})
			if strings.Join(got, " ") != tc.want {
				t.Errorf("got %v, want %s (%v)", got, tc.want, err)
			}
		})
	}
}

func indented(object string) string {
	return strings.TrimRight(strings.ReplaceAll(object, "\n", "\n  "), " ")
}
