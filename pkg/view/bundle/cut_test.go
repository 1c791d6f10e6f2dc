package bundle

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// form is a way to write objects down.
type form struct {
	name, text string
	// ends are where a part of the text is a whole file by itself: with so many
	// objects.
	ends map[int]int
	// cuttable forms may end anywhere: whether a document of YAML goes on can't
	// be told.
	cuttable bool
	// over is where no object can be lost any more, 0 where that is the end.
	over int
}

const written3 = 3 // objects in each form

// forms are three Pods in every form that is read.
func forms() []form {
	var compact, pretty, yamls, items []string
	for i := range written3 {
		compact = append(compact, fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"creationTimestamp":"2026-11-01T09:00:00Z","labels":{"app":"a b"},"name":"web-%d","namespace":"shop"},"spec":{"nodeName":"node-1"}}`, i))
		pretty = append(pretty, strings.NewReplacer("{", "{\n  ", ",", ",\n  ", "}", "\n}").Replace(compact[i]))
		yamls = append(yamls, fmt.Sprintf("apiVersion: v1\nkind: Pod\nmetadata:\n  creationTimestamp: \"2026-11-01T09:00:00Z\"\n  labels:\n    app: a b\n  name: web-%d\n  namespace: shop\nspec:\n  nodeName: node-1\n", i))
		items = append(items, "- "+indented(yamls[i])+"\n")
	}
	typed := strings.NewReplacer(`"apiVersion":"v1","kind":"Pod",`, "").Replace(strings.Join(compact, ","))
	list := whole("list of YAML", "apiVersion: v1\nitems:\n"+strings.Join(items, "")+"kind: List\nmetadata:\n  resourceVersion: \"\"\n")
	list.over = strings.Index(list.text, "metadata:\n  resourceVersion")
	return []form{
		list,
		stream("JSON lines", compact, "\n", false),
		stream("concatenated JSON", compact, "", false),
		stream("indented JSON", pretty, "\n", false),
		stream("documents of YAML", yamls, "---\n", true),
		stream("documents of JSON", compact, "\n---\n", false),
		stream("lists of JSON", []string{list1(compact[0]), list1(compact[1]), list1(compact[2])}, "\n", false),
		whole("list of kubectl", `{"apiVersion":"v1","items":[`+strings.Join(compact, ",\n")+`],"kind":"List","metadata":{"resourceVersion":""}}`),
		whole("list of the server", `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[`+typed+`]}`),
		whole("list in a list", `{"kind":"List","apiVersion":"v1","items":[{"kind":"List","apiVersion":"v1","items":[`+strings.Join(compact, ",")+`]}]}`),
	}
}

func named(t *testing.T, name string) form {
	t.Helper()
	all := forms()
	i := slices.IndexFunc(all, func(f form) bool { return f.name == name })
	if i < 0 {
		t.Fatalf("no form %s", name)
	}
	return all[i]
}

func list1(object string) string { return `{"apiVersion":"v1","items":[` + object + `],"kind":"List"}` }

func stream(name string, objects []string, between string, cuttable bool) form {
	f := form{name: name, ends: map[int]int{}, cuttable: cuttable}
	for i, o := range objects {
		f.text += o
		f.ends[len(f.text)] = i + 1
		if i < len(objects)-1 {
			for _, c := range between {
				f.text += string(c)
				if !strings.HasSuffix(f.text, "\n-") && !strings.HasSuffix(f.text, "\n--") {
					f.ends[len(f.text)] = i + 1
				}
			}
		}
	}
	return f
}

func whole(name, text string) form {
	return form{name: name, text: text, ends: map[int]int{len(text): written3}}
}

// counted is how many objects there are, those of other kinds as well.
func counted(s *Source) int {
	n := len(s.content.objects.all)
	for _, others := range s.content.others {
		n += others
	}
	return n
}

func openText(text string) (*Source, error) {
	return Open([]string{"-"}, strings.NewReader(text), Options{At: &captured})
}

// An input that was cut short is an error, or is a whole file by itself. Nothing
// that stands before the cut is ever lost without a word.
func TestCut(t *testing.T) {
	for _, f := range forms() {
		t.Run(f.name, func(t *testing.T) {
			all, err := openText(f.text)
			if err != nil || counted(all) != written3 {
				t.Fatalf("the whole: %v", err)
			}
			for cut := range f.text {
				s, err := openText(f.text[:cut])
				want, isWhole := f.ends[cut]
				switch {
				case err != nil && isWhole:
					t.Errorf("%d bytes are %d objects: %v", cut, want, err)
				case err == nil && !isWhole && !f.cuttable && (f.over == 0 || cut < f.over-1):
					t.Errorf("%d bytes are no whole file, but read as %d objects: …%s", cut, counted(s), f.text[max(0, cut-20):cut])
				case err == nil:
					f.checkCut(t, cut, all, s)
				}
			}
		})
	}
}

// A bundle that was cut short is an error, at the borders of its documents as
// well, where a stream of YAML looks whole. What somebody adds is an error that
// says how to count it.
func TestCutBundle(t *testing.T) {
	b := view.NewBuilder(captured)
	pods := view.Need{Kind: view.Pods, Namespace: "shop", Detail: view.Full}
	b.Reads(pods, nil)
	for i := range written3 {
		b.Add(view.Pods, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: fmt.Sprint("web-", i), CreationTimestamp: metav1.NewTime(captured)}})
	}
	for _, format := range []Format{YAML, JSON} {
		var out bytes.Buffer
		if err := Write(&out, b.View(), []view.Read{{Need: pods}}, WriteOptions{Format: format}); err != nil {
			t.Fatal(err)
		}
		text := out.String()
		over := strings.LastIndex(text, "name: web-2") // what is cut behind it may be a whole Pod
		if format == JSON {
			over = strings.LastIndex(text, "}")
		}
		for cut := range text[:over] {
			if _, err := openText(text[:cut]); err == nil {
				t.Errorf("%s: %d bytes pass for a whole bundle: …%s", format, cut, text[max(0, cut-20):cut])
			}
		}
		if s, err := openText(strings.Replace(text, "objects", "forgotten", 1)); err != nil || counted(s) != written3 {
			t.Errorf("%s: a bundle that does not say how many objects there are: %v", format, err)
		}
	}
}

func TestBundleEdited(t *testing.T) {
	header := "apiVersion: kubectl-ctrl.github.io/v1alpha2\nkind: Bundle\ncapturedAt: \"2026-11-01T12:00:00Z\"\nreads: []\n"
	for objects, want := range map[int]string{
		1: "",
		2: "stdin: this bundle holds 1 object, but objects in its header is 2 (the file may be cut short: take the snapshot again). If you edited the file, change that line to objects: 1, or delete it",
		0: "stdin: this bundle holds 1 object, but objects in its header is 0 (more than were written). If you edited the file, change that line to objects: 1, or delete it",
	} {
		_, err := openText(fmt.Sprintf("%sobjects: %d\n---\n%s", header, objects, onePod))
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("objects: %d: got %v", objects, err)
		}
	}
}

// checkCut demands every object that stands before the cut as it is in the whole.
func (f form) checkCut(t *testing.T, cut int, all, got *Source) {
	t.Helper()
	before := 0
	for end, n := range f.ends {
		if end <= cut {
			before = max(before, n)
		}
	}
	if f.over > 0 {
		before = written3
	}
	if n := counted(got); n < before || n > before && !f.cuttable {
		t.Errorf("%d objects of %d bytes, want %d", n, cut, before)
	}
	for i := range min(before, counted(got)) {
		if a, b := all.content.objects.all[i], got.content.objects.all[i]; a.ref() != b.ref() {
			t.Errorf("object %d of %d bytes is %s, want %s", i, cut, b.ref(), a.ref())
		}
	}
}

// A dump with a file that was cut short, or is empty, is an error that names it.
func TestCutDump(t *testing.T) {
	dir := t.TempDir()
	list := named(t, "list of the server").text
	write(t, filepath.Join(dir, "nodes.json"), `{"kind":"NodeList","apiVersion":"v1","items":[]}`)
	for cut := range len(list) {
		path := filepath.Join(dir, "shop", "pods.json")
		write(t, path, list[:cut])
		if _, err := Open([]string{dir}, nil, Options{At: &captured}); err == nil || !strings.HasPrefix(err.Error(), path) {
			t.Errorf("%d bytes: %v", cut, err)
		}
	}
}

// corruptions are what a byte of a broken file may be.
var corruptions = []byte("\"{}[],: x\x00\xff\n#-'|&*!%\t~7")

// A byte that is wrong is an error, or changes an object. No object is lost.
func TestCorrupt(t *testing.T) {
	for _, f := range forms() {
		t.Run(f.name, func(t *testing.T) {
			for pos := range f.text {
				f.checkCorrupt(t, pos, corruptions[pos%len(corruptions)])
			}
		})
	}
}

func (f form) checkCorrupt(t *testing.T, pos int, to byte) {
	t.Helper()
	text := []byte(f.text)
	text[pos] = to
	s, err := openText(string(text))
	if err == nil && counted(s) != written3 {
		t.Errorf("%d objects with %q at %d: …%s", counted(s), to, pos, text[max(0, pos-20):min(len(text), pos+20)])
	}
	if pos%4 != 0 {
		return // as a manifest it is read in the same way
	}
	manifests, err := ReadObjects([]string{"-"}, bytes.NewReader(text))
	if err == nil && s != nil && len(manifests) != len(s.content.objects.all) {
		t.Errorf("%d manifests, but %d objects with %q at %d", len(manifests), len(s.content.objects.all), to, pos)
	}
}

// FuzzCorrupt breaks two bytes of an input.
func FuzzCorrupt(f *testing.F) {
	all := forms()
	for i := range all {
		f.Add(i, 10, byte('"'))
	}
	f.Fuzz(func(t *testing.T, i, pos int, to byte) {
		form := all[uint(i)%uint(len(all))]
		form.checkCorrupt(t, int(uint(pos)%uint(len(form.text))), to)
	})
}

// Each of these lost objects, or can have lost some: an error says so.
func TestNothingIsLost(t *testing.T) {
	pod := named(t, "JSON lines").text[:named(t, "JSON lines").firstEnd()]
	const yamlPod = onePod
	for _, tc := range []struct{ name, text, want string }{
		{"second value cut", pod + "\n" + pod[:40], "stdin:2: the JSON ends in the middle of a value: is the file cut short?"},
		{"garbage behind", pod + "\ngarbage", "stdin:2: not valid JSON: invalid character 'g' looking for beginning of value"},
		{"garbage behind a comment", pod + "\n# x\n" + pod, "stdin:2: not valid JSON: invalid character '#'"},
		{"padded with NUL", pod + "\n\x00\x00\x00", "stdin: this is not text"},
		{"YAML padded with NUL", yamlPod + "\x00\x00\x00", "stdin: this is not text"},
		{"comma between", pod + "," + pod, "stdin:1: not valid JSON: invalid character ','"},
		{"array cut", "[" + pod + ",", "stdin:1: expected an object, found a list without kind"},
		{"UTF-16 cut", "\xff\xfe{", "stdin: this UTF-16 ends in the middle of a character: is the file cut short?"},
		{"character cut", "\ufeff" + yamlPod + "# \xc3", "stdin: this is not text"},
		{"YAML joined", yamlPod + yamlPod, `stdin:7: "apiVersion" is there twice: put --- between two objects`},
		{"a field twice", strings.Replace(yamlPod, "metadata:", "spec: {a: 1, b: 2, a: 3}\nmetadata:", 1), `stdin:3: "a" is there twice in one object: remove one of them`},
		{"kind twice", yamlPod + "kind: Pod\n", `"kind" is there twice in one object: remove one of them`},
		{"a field twice in JSON", "{\"kind\":\"Pod\",\n\"spec\":{\"a\":[{\"x\":1},{\"x\":{\"x\":2}}],\n\"b\":\"a,{\\\"b\",\"c\":[\"b\",\"b\"],\n\"b\":2}}", `stdin:4: "b" is there twice in one object: remove one of them`},
		{"a field twice in a list", list1(`{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","name":"b"}}`), `stdin:1: "name" is there twice in one object: remove one of them`},
		{"one of many fields twice in JSON", manyFields(100), `stdin:1: "f3" is there twice in one object: remove one of them`},
		{"kind twice in JSON", `{"kind":"Pod","apiVersion":"v1","kind":"Pod"}`, `stdin:1: "kind" is there twice in one object: remove one of them`},
		{"flow YAML joined", "{kind: Pod, apiVersion: v1}\n{kind: Pod}", "did not find expected <document start>"},
		{"page with a count", `{"kind":"PodList","apiVersion":"v1","metadata":{"continue":"x","remainingItemCount":1234},"items":[` + pod + `]}`,
			"stdin:1: this PodList is one page: 1234 more items are on the server. Get the whole list with kubectl get --chunk-size=0, or without limit= in the request"},
		{"page", `{"kind":"PodList","apiVersion":"v1","metadata":{"continue":"x"},"items":[]}`, "stdin:1: this PodList is one page: more items are on the server. "},
		{"page in a list", list1(`{"kind":"PodList","apiVersion":"v1","metadata":{"continue":"x"},"items":[]}`), "stdin:1: items[0]: this PodList is one page"},
		{"page of YAML", "apiVersion: v1\nitems:\n- " + indented(yamlPod) + "\nkind: List\nmetadata:\n  continue: x\n  remainingItemCount: 3\n", "stdin:1: this List is one page: 3 more items"},
		{"list without items", `{"kind":"PodList","apiVersion":"v1"}`, "stdin:1: this PodList has no items: is the file cut short?"},
		{"items that are no array", `{"kind":"PodList","apiVersion":"v1","items":{"a":[1,{}]}}`, "stdin:1: this PodList has no items"},
		{"items twice", `{"kind":"List","apiVersion":"v1","items":[` + pod + `],"items":[]}`, "stdin:1: items is there twice"},
		{"kind misspelt", `{"kind":"PodLisu","apiVersion":"v1","items":[{"metadata":{"name":"a"}}]}`, "stdin:1: PodLisu has items, but is no list: is its kind right?"},
		{"answer of the server", pod + `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"pods is forbidden","reason":"Forbidden","code":403}`,
			"stdin:1: this is an answer of the API server, not an object (pods is forbidden): read it again"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := openText(tc.text)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %s", err, tc.want)
			}
			if _, err := ReadObjects([]string{"-"}, strings.NewReader(tc.text)); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("as manifests: got %v, want %s", err, tc.want)
			}
		})
	}
}

// manyFields is a Pod with so many fields, of which the fourth is there again.
func manyFields(n int) string {
	text := `{"kind":"Pod","apiVersion":"v1","spec":{`
	for i := range n {
		text += fmt.Sprintf(`"f%d":{"f3":0},`, i)
	}
	return text + `"f3":1}}`
}

func (f form) firstEnd() int {
	var ends []int
	for end := range f.ends {
		ends = append(ends, end)
	}
	return slices.Min(ends)
}

// Forms that look odd, but hold all that they seem to.
func TestOddButWhole(t *testing.T) {
	pod := named(t, "JSON lines").text[:named(t, "JSON lines").firstEnd()]
	for name, text := range map[string]string{
		"comment behind JSON":      pod + "\n# that's all\n\n  # really\n",
		"flow YAML":                "{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: b}} # note\n",
		"merged and overridden":    "x: &x {name: a, namespace: b}\napiVersion: v1\nkind: Pod\nmetadata:\n  <<: *x\n  name: c\n",
		"no items":                 `{"kind":"ServiceList","apiVersion":"v1","items":null}` + pod,
		"object named like a list": `{"kind":"AllowList","apiVersion":"x.io/v1","metadata":{"name":"a"}}` + pod,
		"items of text":            `{"kind":"Menu","apiVersion":"x.io/v1","metadata":{"name":"a"},"items":["tea",{"a":"b"}]}` + pod,
		"mark before JSON":         "\ufeff" + pod,
		"windows":                  strings.ReplaceAll(named(t, "indented JSON").text, "\n", "\r\n"),
	} {
		if _, err := openText(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Only a dump has empty files because something failed.
func TestEmptyFile(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.yaml"), onePod)
	write(t, filepath.Join(dir, "b.yaml"), "# nothing here\n")
	if _, err := Open([]string{dir}, nil, Options{}); err != nil {
		t.Error(err)
	}
	empty := filepath.Join(dir, "c.yaml")
	if err := os.WriteFile(empty, []byte("\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open([]string{dir}, nil, Options{}); err == nil || err.Error() != empty+" is empty: save it again, or delete it" {
		t.Error(err)
	}
}
