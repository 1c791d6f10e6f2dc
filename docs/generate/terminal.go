package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/docs/generate/picture"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cli"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// shown are the commands of the README's picture, on the examples.
var shown = []string{
	"explain -A --from docs/examples/trouble.yaml",
	"explain rs/api -n quota --from docs/examples/trouble.yaml",
	"plan deploy/web --image nginx=nginx:1.28 --until-stable --from docs/examples/shop.yaml",
}

// terminal draws what the commands print on a terminal.
func terminal(dir string) error {
	size := picture.Size{Columns: 120, Rows: 26}
	var screens []picture.Screen
	for _, command := range shown {
		out, err := printed(command, size)
		if err != nil {
			return fmt.Errorf("%s: %w", command, err)
		}
		screens = append(screens, picture.Screen{Command: "kubectl ctrl " + command, Output: out})
	}
	var b bytes.Buffer
	if err := picture.Write(&b, "kubectl ctrl says which workloads are stuck, why, and what a change would do", size, screens); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "terminal.svg"), b.Bytes(), 0o644)
}

// printed is what a command prints on a terminal of a size.
func printed(command string, size picture.Size) (string, error) {
	var out, errs bytes.Buffer
	root := cli.New(cli.Env{
		IOStreams:   genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &errs},
		Clock:       clock.RealClock{},
		Controllers: plugins.All(),
		Getenv:      func(string) string { return "" },
		Width:       func() int { return size.Columns },
		Name:        "kubectl ctrl",
		Version:     "docs",
	})
	root.SetArgs(append(strings.Fields(command), "--color", "always"))
	if err := root.Execute(); err != nil {
		return "", err
	}
	if errs.Len() > 0 {
		return "", fmt.Errorf("it says %s", errs.String())
	}
	return out.String(), nil
}
