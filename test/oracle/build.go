package oracle

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Versions lists the releases that have an oracle, by the directories beside
// this file; here is that directory.
func Versions(here string) ([]string, error) {
	dirs, err := filepath.Glob(filepath.Join(here, "kubernetes-*"))
	if err != nil {
		return nil, err
	}
	versions := make([]string, len(dirs))
	for i, dir := range dirs {
		versions[i] = strings.TrimPrefix(filepath.Base(dir), "kubernetes-")
	}
	return versions, nil
}

// Binaries is the directory with the oracles of all Versions.
func Binaries(here string) (string, error) {
	versions, err := Versions(here)
	if err != nil {
		return "", err
	}
	return BinariesOf(here, versions...)
}

// BinariesOf is the directory with these oracles: what $ORACLES names, or
// .cache/oracle of the repository, in which they are built now. A version is
// what build.sh takes.
func BinariesOf(here string, versions ...string) (string, error) {
	if dir := os.Getenv("ORACLES"); dir != "" {
		return dir, nil
	}
	dir, err := filepath.Abs(filepath.Join(here, "..", "..", ".cache", "oracle"))
	if err != nil {
		return "", err
	}
	build := exec.Command(filepath.Join(here, "build.sh"), append([]string{dir}, versions...)...)
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return "", fmt.Errorf("build.sh: %w", err)
	}
	return dir, nil
}
