package test

import (
	"bytes"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cli"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	kubeapi "github.com/kubectl-ctrl/kubectl-ctrl/test/apiserver"
)

// TestRecordOfNothing: an older record is replaced by a trace that begins, and by no other;
// neither leaves another file.
func TestRecordOfNothing(t *testing.T) {
	dir := t.TempDir()
	file, old := filepath.Join(dir, "shop.yaml"), filepath.Join(dir, "web.jsonl")
	link := filepath.Join(dir, "link.jsonl")
	for name, text := range map[string]string{file: web + "---\n" + webPods, old: "old"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("web.jsonl", link); err != nil {
		t.Fatal(err)
	}
	objects, err := bundle.ReadObjects([]string{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(kubeapi.New(objects))
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	files := namesIn(t, dir)
	for _, c := range []struct {
		set, to string
		began   bool
	}{
		{"rs/absent", old, false},
		{"rs/absent", filepath.Join(dir, "new.jsonl"), false},
		{"rs/absent", os.DevNull, false},
		{"rs/web", os.DevNull, true},
		{"rs/web", link, true},
	} {
		var out bytes.Buffer
		root := cli.New(cli.Env{
			Controllers: plugins.All(), IOStreams: genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &out},
			Clock: clock.RealClock{}, Getenv: func(string) string { return "" }, Width: func() int { return 0 }, Name: "kubectl ctrl", Version: "test",
		})
		root.SetArgs([]string{"trace", c.set, "-n", "shop", "--duration", "1s", "--record", c.to, "--server", server.URL, "--cache-dir", t.TempDir()})
		if err := root.Execute(); (err == nil) != c.began {
			t.Fatalf("%s: %v, %s", c.set, err, &out)
		}
		if got := namesIn(t, dir); !slices.Equal(got, files) {
			t.Errorf("%s to %s: there are %q, want %q", c.set, c.to, got, files)
		}
		text, err := os.ReadFile(old)
		if replaced := string(text) != "old"; err != nil || replaced != (c.to == link) {
			t.Errorf("%s to %s: replaced %t, %v", c.set, c.to, replaced, err)
		}
	}
	if text, _ := os.ReadFile(old); !strings.HasPrefix(string(text), `{"kind":"TraceRecord"`) || !strings.HasSuffix(string(text), `"mark":"end"}`+"\n") {
		t.Errorf("the record is %s", text)
	}
}

func namesIn(t *testing.T, dir string) (names []string) {
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range all {
		names = append(names, file.Name())
	}
	return names
}
