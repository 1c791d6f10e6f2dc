package bundle

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
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
		{"too many items", `{"apiVersion": "v1", "items": [` + strings.Repeat("{},", maxOther) + `{}], "kind": "List"}`, "stdin:1: more than 400000 objects: dump one namespace at a time"},
		{"too many values", strings.Repeat("null ", maxOther+1), "stdin:1: more than 400000 objects: dump one namespace at a time"},
		{"too many of other kinds", strings.Repeat(`{"apiVersion":"v1","kind":"Service","metadata":{"name":"a","uid":"u"}}`, maxOther+1), "stdin:1: more than 400000 objects: dump one namespace at a time"},
		{"items that are none", `{"apiVersion": "v1", "kind": "List", "items": [` + strings.Repeat("{},", maxOther) + `{}]}`, "stdin:1: items[0]: this is no Kubernetes object"},
		{"too many items of YAML", "apiVersion: v1\nkind: List\nitems:\n" + strings.Repeat("-\n", 200) + "x: [" + strings.Repeat("a,", maxNodes) + "a]\n", "stdin:1: this document is too large to be read in one piece"},
		{"a long value", `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "` + strings.Repeat("a", 9<<20) + `"}}`, "stdin:1: a value is larger than 4 MiB, which no API server would store"},
		{"a large object", `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": "a"}, "spec": {"hostname": "` + strings.Repeat("a", 3<<20) + `"}, "status": {"message": "` + strings.Repeat("a", 3<<20) + `"}}`,
			"stdin:1: this object is larger than 4 MiB, which no API server would store"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Open([]string{"-"}, strings.NewReader(tc.text), Options{})
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %s", err, tc.want)
			}
		})
	}
}

// One bound on nesting holds for every form, and its error names the object.
func TestDepth(t *testing.T) {
	object := func(levels int) string { // the object itself and metadata are levels as well
		return `{"apiVersion":"apps.kruise.io/v1alpha1","kind":"CloneSet","metadata":{"name":"web","namespace":"shop"},"spec":` +
			strings.Repeat(`{"x":`, levels-1) + `"{[{[\"{["` + strings.Repeat("}", levels)
	}
	for _, form := range []struct{ name, before, after, place string }{
		{"JSON", "", "", "stdin:1: "},
		{"list of JSON", `{"kind":"List","apiVersion":"v1","items":[`, `]}`, "stdin:1: items[0]: "},
		{"YAML", "# YAML\n", "\n", "stdin:2: "},
		{"list of YAML", "apiVersion: v1\nitems:\n- ", "\nkind: List\n", "stdin:3: items[0]: "},
		{"list of YAML as a whole", "{apiVersion: v1, kind: List, items: [", "]}\n", "stdin:1: items[0]: "},
	} {
		t.Run(form.name, func(t *testing.T) {
			if _, err := openText(form.before + object(maxDepth) + form.after); err != nil {
				t.Error(err)
			}
			want := form.place + "cloneset/shop/web: values are nested deeper than 200: remove the field that nests them"
			deep := form.before + object(maxDepth+1) + form.after
			if _, err := openText(deep); err == nil || err.Error() != want {
				t.Errorf("got %v, want %s", err, want)
			}
			if _, err := ReadObjects([]string{"-"}, strings.NewReader(deep)); err == nil || err.Error() != want {
				t.Errorf("as a manifest: got %v, want %s", err, want)
			}
		})
	}
}

// An input of any size is refused before more than the limit of it is in
// memory: a file by its size alone, a stream once the limit was read.
func TestInputOfAnySize(t *testing.T) {
	large := filepath.Join(t.TempDir(), "large.yaml")
	write(t, large, onePod)
	if err := os.Truncate(large, maxFile+1); err != nil { // takes no room on the disk
		t.Fatal(err)
	}
	var err error
	taken := allocated(func() { _, err = Open([]string{large}, nil, Options{}) })
	if err == nil || err.Error() != large+" is larger than 1 GiB: dump one namespace at a time" {
		t.Error(err)
	}
	if taken > 1<<20 {
		t.Errorf("it took %d bytes to refuse a file by its size", taken)
	}
	const limit = 8 << 20
	taken = allocated(func() {
		text := bufio.NewReaderSize(&textReader{name: "stdin", from: endless{}, limit: limit}, window)
		_, err = (&splitter{from: text, line: 1}).rest(nil)
	})
	if err == nil || err.Error() != "stdin is larger than 8 MiB: dump one namespace at a time" {
		t.Error(err)
	}
	if taken > 4*limit {
		t.Errorf("it took %d bytes to refuse a stream after %d", taken, limit)
	}
}

// A JSON object that never ends is given up once it is larger than objects
// are, whatever the size of the input.
func TestValueWithoutEndTakesLittleMemory(t *testing.T) {
	text := []byte(`{"kind": "Pod", "spec": {"hostname": "` + strings.Repeat("a", 64<<20))
	var err error
	taken := allocated(func() { err = piece{}.json(bytes.NewReader(text), 0, nil) })
	if !errors.Is(err, errTooLarge) {
		t.Error(err)
	}
	if taken > 8*maxObject {
		t.Errorf("it took %d bytes to refuse a value of %d", taken, len(text))
	}
}

// Objects are weighed by what they take once they are decoded, not by their
// length: {} becomes a whole struct.
func TestWeight(t *testing.T) {
	pod := []byte(`{"spec":{"containers":[` + strings.Repeat("{},", maxObject/3-100) + `{}]}}`)
	var w wholes
	var err error
	for n := 0; err == nil && n < 100; n++ {
		err = w.add(pod)
	}
	if err == nil || err.Error() != "the objects up to here take more than 4 GiB of memory: give fewer of them" {
		t.Error(err)
	}
	if size := w.objects * len(pod); size > view.MostWeight/50 {
		t.Errorf("%d bytes of empty containers were let in", size)
	}
	small, err := []byte("{}"), nil
	for w = (wholes{}); err == nil && w.objects < 500_000; {
		err = w.add(small)
	}
	if err == nil || err.Error() != "more than 400000 objects: dump one namespace at a time" || w.objects != 400_001 {
		t.Errorf("%v after %d", err, w.objects)
	}
}

// All JSON of all inputs is bounded, and so are the objects.
func TestBallast(t *testing.T) {
	for _, c := range []struct {
		raw, n int
		want   string
	}{
		{2, 1_200_000, "more than 1200000 objects: dump one namespace at a time"},
		{1 << 20, 1 << 10, "the objects up to here have more than 1 GiB of JSON: dump one namespace at a time"},
		{4<<20 + 1, 0, "this object is larger than 4 MiB, which no API server would store"},
	} {
		raw := make([]byte, c.raw)
		var read inputSize
		for range c.n {
			if err := read.add(raw); err != nil {
				t.Fatal(err)
			}
		}
		if err := read.add(raw); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// endless is a stream that has no end.
type endless struct{}

func (endless) Read(to []byte) (int, error) {
	for i := range to {
		to[i] = 'x'
	}
	return len(to), nil
}

// allocated is how many bytes f asks for, also those that it gives back.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// documents lists the documents of a file x.yaml.
func documents(data []byte) []document {
	var all []document
	s := &splitter{from: bufio.NewReader(bytes.NewReader(data)), line: 1}
	for {
		marker, more, err := s.begin()
		if err != nil || !more {
			return all
		}
		d := document{file: "x.yaml", line: s.line}
		d.text, _ = s.rest([]byte(marker))
		all = append(all, d)
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
		{"items twice", "kind: List\napiVersion: v1\nitems:\n- a: b\nitems:\n- " + indented(onePod), ""}, // an error: there is no telling which are meant
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := documents([]byte(tc.text))[0]
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
