package oracle

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/program"
)

// Versions lists the releases of Kubernetes that have an oracle; here is the
// directory of this file.
func Versions(here string) ([]string, error) {
	return program.Versions(here, program.Kubernetes)
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
