package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cli"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/schema"
)

// documentsDir names the folder for the documents that the commands of scripts print.
const documentsDir = "DOCUMENTS_DIR"

// keepDocuments makes a command keep what it prints. When it has ended, what it returns
// writes that to the folder. A command that answered with text is asked once more for
// JSON, so that every case that scripts come to is held to the schema.
func keepDocuments(env *cli.Env) func(context.Context, string) {
	dir := os.Getenv(documentsDir)
	if dir == "" {
		return func(context.Context, string) {}
	}
	time.Local = time.FixedZone("", 5*60*60+30*60) // answers have UTC everywhere
	var printed bytes.Buffer
	env.Out = io.MultiWriter(env.Out, &printed)
	return func(ctx context.Context, name string) {
		if err := keepLong(ctx, dir, name, printed.String()); err != nil {
			panic(err)
		}
		if args := asJSON(os.Args[1:]); args != nil && printed.Len() > 0 {
			again := environment(name)
			again.In, again.Out, again.ErrOut = strings.NewReader(""), &printed, io.Discard
			printed.Reset()
			root := cli.New(again)
			root.SetArgs(args)
			_ = root.ExecuteContext(ctx) // what was printed before an error counts
		}
		if err := keep(dir, printed.Bytes()); err != nil {
			panic(err)
		}
	}
}

// keep writes what was printed to a file of its own.
func keep(dir string, printed []byte) error {
	f, err := os.CreateTemp(dir, "")
	if err != nil {
		return err
	}
	_, err = f.WriteString(strings.Join(os.Args[1:], " ") + "\n")
	_, failed := f.Write(printed)
	return errors.Join(err, failed, f.Close())
}

// asJSON are the arguments of a command that asks the same for JSON, nil for one that
// has no such form. The last of two --output counts.
func asJSON(args []string) []string {
	verbs := []string{"explain", "plan", "orphans", "owners", "expectations", "rules", "trace"}
	if len(args) == 0 || !slices.Contains(verbs, args[0]) || slices.ContainsFunc(args, watching) {
		return nil
	}
	end := slices.Index(args, "--")
	if end < 0 {
		end = len(args)
	}
	return slices.Insert(slices.Clone(args), end, "-o", "json")
}

// watching reports whether an argument makes a command watch, write a file or read
// standard input, none of which is done twice.
func watching(arg string) bool {
	return slices.Contains([]string{"-w", "--watch", "--record", "-"}, arg)
}

// leastDocuments is about how many documents the scripts come to. Fewer are a sign that
// they are not looked at.
const leastDocuments = 500

func checkDocuments(t *testing.T, dir string) {
	checkLong(t, dir)
	files, err := filepath.Glob(filepath.Join(dir, "[0-9]*"))
	if err != nil {
		t.Fatal(err)
	}
	var all []schema.Document
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name, printed, _ := bytes.Cut(text, []byte("\n"))
		documents, err := schema.Of(string(name), printed)
		if err != nil {
			continue // cut short by a script, or JSONPath that begins like JSON
		}
		all = append(all, documents...)
	}
	if len(all) < leastDocuments && !testing.Short() {
		t.Errorf("%d documents, want %d at least", len(all), leastDocuments)
	}
	schema.Check(t, all)
}
