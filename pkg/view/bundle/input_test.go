package bundle

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"k8s.io/cli-runtime/pkg/resource"
)

const onePod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  namespace: shop\n  creationTimestamp: \"2026-11-01T09:00:00Z\"\n"

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestWalk(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.yaml", "a/x.YML", "a/y.json", "a/logs.txt", ".hidden/z.yaml", "..data/z.yaml", "c.yaml.bak"} {
		write(t, filepath.Join(dir, name), onePod)
	}
	for link, target := range map[string]string{"a/loop": "..", "linked.yaml": "b.yaml", "dangling.yaml": "gone", "dir.yaml": "a"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	files, err := inputs([]string{dir}, nil, saved)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		rel, _ := filepath.Rel(dir, f.name)
		got = append(got, filepath.ToSlash(rel))
	}
	if diff := cmp.Diff([]string{"a/x.YML", "a/y.json", "b.yaml", "linked.yaml"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestManifestsAreThoseOfKubectl: a directory stands for what the code of kubectl apply -f
// takes.
func TestManifestsAreThoseOfKubectl(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"b.yaml", "a.json", "c.yml", "Y.YAML", ".hidden.yaml", ".yaml", "d.yaml.bak", "notes.txt", "yaml",
		"below/e.yaml", "below/F.Yml", "below/.git/g.yaml", "named.yaml/h.json",
	} {
		write(t, filepath.Join(dir, name), onePod)
	}
	for link, target := range map[string]string{"loop": ".", "linked.yaml": "b.yaml", "dangling.yaml": "gone", "dir.yml": "below"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	for _, recursive := range []bool{false, true} {
		visitors, err := resource.ExpandPathsToFileVisitors(nil, dir, recursive, resource.FileExtensions, nil)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, v := range visitors {
			want = append(want, v.(*resource.FileVisitor).Path)
		}
		files, err := inputs([]string{dir}, nil, applied(recursive))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range files {
			got = append(got, f.name)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("recursive %t: %s", recursive, diff)
		}
	}
}

func TestInputErrors(t *testing.T) {
	empty := t.TempDir()
	for _, tc := range []struct {
		paths []string
		stdin io.Reader
		want  string
	}{
		{nil, nil, "no input: name a file, a directory, or - for stdin"},
		{[]string{"-"}, nil, "stdin (-) can be read once only"},
		{[]string{"-", "-"}, strings.NewReader(""), "stdin (-) can be read once only"},
		{[]string{"gone.yaml"}, nil, "cannot read input: stat gone.yaml"},
		{[]string{empty}, nil, "the directory holds no file named *.yaml, *.yml or *.json"},
	} {
		if _, err := Open(tc.paths, tc.stdin, Options{}); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%v: %v, want %s", tc.paths, err, tc.want)
		}
	}
}

func TestEncodings(t *testing.T) {
	wide := func(order func(uint16) (byte, byte)) string {
		var out []byte
		for _, u := range utf16.Encode([]rune("\ufeff" + onePod)) {
			a, b := order(u)
			out = append(out, a, b)
		}
		return string(out)
	}
	for name, text := range map[string]string{
		"utf-8 with a mark":   "\ufeff" + onePod,
		"utf-16 of Windows":   wide(func(u uint16) (byte, byte) { return byte(u), byte(u >> 8) }),
		"utf-16, high first":  wide(func(u uint16) (byte, byte) { return byte(u >> 8), byte(u) }),
		"windows line ends":   strings.ReplaceAll(onePod, "\n", "\r\n"),
		"no newline at end":   strings.TrimSpace(onePod),
		"windows, two pods":   strings.ReplaceAll(onePod+"---\n"+onePod, "\n", "\r\n"),
		"windows, as a list":  strings.ReplaceAll("kind: List\napiVersion: v1\nitems:\n- "+strings.ReplaceAll(onePod, "\n", "\n  "), "\n", "\r\n"),
		"marker and comments": "# x\n--- # y\n" + onePod + "...\n# z\n",
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Open([]string{"-"}, strings.NewReader(text), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if s.content.objects.all[0].ref() != "pod/shop/web" {
				t.Error(s.content.objects.all)
			}
		})
	}
}

func TestReadObjects(t *testing.T) {
	const manifests = "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata:\n  name: web\nspec:\n  replicas: 5\n" +
		"---\napiVersion: v1\nkind: Service\nmetadata:\n  name: web\n"
	objects, err := ReadObjects([]string{"-"}, strings.NewReader(manifests))
	if err != nil {
		t.Fatal(err)
	}
	if len(objects) != 1 {
		t.Fatalf("got %d objects", len(objects))
	}
	o := objects[0]
	if o.place() != "stdin:1" || o.Obj.GetNamespace() != "" || o.Kind.Kind != "ReplicaSet" {
		t.Errorf("got %+v", o)
	}
	want := `{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"web"},"spec":{"replicas":5}}`
	if string(o.Raw) != want {
		t.Errorf("raw %s", o.Raw)
	}
	if _, err := ReadObjects([]string{"testdata/bad/services.yaml"}, nil); err == nil {
		t.Error("no error for a file without any object that is decided on")
	}
	if _, err := ReadObjects([]string{"testdata/bad/wrong-type.yaml"}, nil); err == nil || !strings.Contains(err.Error(), "wrong-type.yaml:7: replicaset/shop/web: ") {
		t.Error(err)
	}
}
