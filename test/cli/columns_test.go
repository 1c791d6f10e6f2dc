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

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cli"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/columns"
)

// matched is the TERMINAL_WIDTH of scripts that match whole lines.
const matched = "1000"

// keepLong keeps the lines of an answer that are too long where the output is no
// terminal. A command of a script that matches whole lines is asked once more without.
func keepLong(ctx context.Context, dir, name, printed string) error {
	args := os.Args[1:]
	width := os.Getenv("TERMINAL_WIDTH")
	switch {
	case !columns.Wrapped(args) || printed == "" || args[0] == "wait" || slices.ContainsFunc(args, watching):
		return nil
	case width == matched:
		var again bytes.Buffer
		env := environment(name)
		env.Width, env.In, env.Out, env.ErrOut = func() int { return 0 }, strings.NewReader(""), &again, io.Discard
		root := cli.New(env)
		root.SetArgs(args)
		_ = root.ExecuteContext(ctx) // what was printed before an error counts
		printed = again.String()
	case width != "" && width != "0":
		return nil
	}
	long := columns.Long(printed)
	if len(long) == 0 {
		return nil
	}
	f, err := os.CreateTemp(dir, "long")
	if err != nil {
		return err
	}
	_, err = f.WriteString(strings.Join(args, " ") + "\n" + strings.Join(long, "\n"))
	return errors.Join(err, f.Close())
}

// checkLong holds every answer of every script to the columns that people read.
func checkLong(t *testing.T, dir string) {
	files, err := filepath.Glob(filepath.Join(dir, "long*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Errorf("longer than %d columns: %s", columns.Most, text)
	}
}
