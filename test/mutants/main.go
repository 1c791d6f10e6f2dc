package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	of := flag.String("of", "", "run only mutants whose file or name matches this regular `expression`")
	names := flag.String("layers", "unit,command,oracle", "the layers to run, separated by commas")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, *of, strings.Split(*names, ","))
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, of string, names []string) error {
	pattern, err := regexp.Compile(of)
	if err != nil {
		return err
	}
	all, err := read()
	if err != nil {
		return err
	}
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	if drawn, err := drawnFailures(root); err != nil || len(drawn) > 0 {
		return errors.Join(err, fmt.Errorf("goldens fail on the drawn failures in %s: remove them first", strings.Join(drawn, ", ")))
	}
	survived, broken := 0, 0
	for _, m := range all {
		if !pattern.MatchString(m.File) && !pattern.MatchString(m.Name) {
			continue
		}
		by, err := caught(ctx, root, m, names)
		err = errors.Join(err, forgetDrawn(root))
		if err != nil {
			broken++
			fmt.Fprintln(os.Stderr, err)
			if ctx.Err() != nil {
				return err
			}
			continue
		}
		if by == "" || by == "oracle" && m.Oracle == "" {
			survived++
		}
		fmt.Printf("%-8s  %s: %s\n", orNone(by), m.File, m.Name)
	}
	if survived+broken > 0 {
		return fmt.Errorf("%d mutants were noticed by no layer that should have: write the test; %d could not be tried", survived, broken)
	}
	return nil
}

// drawnFailures are the folders in which property tests keep what they failed on.
func drawnFailures(root string) (found []string, _ error) {
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil || !e.IsDir():
			return err
		case strings.HasSuffix(path, filepath.Join("testdata", "rapid")):
			found = append(found, path)
			return fs.SkipDir
		case strings.HasPrefix(e.Name(), ".") && path != root:
			return fs.SkipDir
		}
		return nil
	})
	return found, err
}

// forgetDrawn removes what a mutant's tests drew: the next mutant would fail on it.
func forgetDrawn(root string) error {
	drawn, err := drawnFailures(root)
	for _, dir := range drawn {
		err = errors.Join(err, os.RemoveAll(dir))
	}
	return err
}

func orNone(by string) string {
	if by == "" {
		return "SURVIVED"
	}
	return by
}

// caught returns the first layer whose tests fail with the mutant, empty for none.
func caught(ctx context.Context, root string, m Mutant, names []string) (string, error) {
	overlay, err := overlayOf(root, m)
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(filepath.Dir(overlay)) }()
	if out, err := exec.CommandContext(ctx, "go", "build", "-overlay", overlay, "./"+filepath.Dir(m.File)).CombinedOutput(); err != nil {
		return "", fmt.Errorf("mutant %q does not compile: %w\n%s", m.Name, err, out)
	}
	for _, l := range layers {
		if !slices.Contains(names, l.name) {
			continue
		}
		args := append([]string{"test", "-vet=off", "-failfast", "-timeout", "15m", "-overlay", overlay}, l.of(m.File)...)
		out, err := exec.CommandContext(ctx, "go", args...).CombinedOutput()
		var failed *exec.ExitError
		switch {
		case ctx.Err() != nil:
			return "", ctx.Err()
		case err != nil && !errors.As(err, &failed):
			return "", err
		case err != nil && !strings.Contains(string(out), "FAIL"):
			return "", fmt.Errorf("mutant %q: go test: %w\n%s", m.Name, err, out)
		case err != nil:
			return l.name, nil
		}
	}
	return "", nil
}

// overlayOf writes the broken file, and the description of it that go test
// takes, into a folder of their own, and returns the latter's path.
func overlayOf(root string, m Mutant) (string, error) {
	text, err := m.broken(root)
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, filepath.Base(m.File))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return "", err
	}
	spec, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(root, m.File): file}})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, spec, 0o600)
}
