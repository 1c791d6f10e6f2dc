package bundle

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// FuzzOpen feeds Open anything. It must not panic, and what it accepts must
// survive being written and read again.
func FuzzOpen(f *testing.F) {
	err := filepath.WalkDir("testdata", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if e.Name() == "fuzz" {
			return fs.SkipDir
		}
		text, err := os.ReadFile(path)
		f.Add(text)
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(nestedLists(10)))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := Open([]string{"-"}, bytes.NewReader(text), Options{At: &captured})
		if err != nil {
			return
		}
		for _, format := range []Format{YAML, JSON} {
			var out bytes.Buffer
			if err := Write(&out, s.view, everything(), WriteOptions{Format: format, Unredacted: true}); err != nil {
				t.Fatal(err)
			}
			again := reopen(t, out.Bytes())
			for _, k := range view.Kinds() {
				if diff := cmp.Diff(s.view.All(k), again.view.All(k), equal()); diff != "" {
					t.Errorf("%s: -first +second:\n%s\n%s", format, diff, out.Bytes())
				}
			}
		}
	})
}

func everything() []view.Read {
	var reads []view.Read
	for _, k := range view.Kinds() {
		reads = append(reads, view.Read{Need: view.Need{Kind: k, Detail: view.Full}})
	}
	return reads
}
