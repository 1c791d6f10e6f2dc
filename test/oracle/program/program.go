// Package program answers: how does a test talk to an oracle, which is a
// program that answers JSON lines?
package program

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// What has oracles, as their directories and programs begin.
const (
	Kubernetes = "kubernetes-"
	Kruise     = "kruise-"
)

// Versions lists the releases of a product that have an oracle: its directories in
// test/oracle, which here leads to. Everyday runs leave out those in test/oracle/more;
// ORACLE_MORE=1 asks them alone, ORACLE_MORE=all them as well.
func Versions(here, product string) ([]string, error) {
	folders := map[string][]string{"": {here}, "all": {here, filepath.Join(here, "more")}}[os.Getenv("ORACLE_MORE")]
	if folders == nil {
		folders = []string{filepath.Join(here, "more")}
	}
	var versions []string
	for _, folder := range folders {
		dirs, err := filepath.Glob(filepath.Join(folder, product+"*"))
		if err != nil {
			return nil, err
		}
		for _, dir := range dirs {
			versions = append(versions, strings.TrimPrefix(filepath.Base(dir), product))
		}
	}
	slices.Sort(versions)
	return versions, nil
}

// Name is what build.sh calls the oracle of a version.
func Name(product, version string) string {
	if product == Kubernetes {
		return version
	}
	return product + version
}

// Binary is the built oracle of a name that build.sh knows: in the directory
// that $ORACLES names, or in .cache/oracle of the repository, built now. here
// is the way to test/oracle.
func Binary(here, name string) (string, error) {
	file := "oracle-" + name
	if dir := os.Getenv("ORACLES"); dir != "" {
		return filepath.Join(dir, file), nil
	}
	dir, err := filepath.Abs(filepath.Join(here, "..", "..", ".cache", "oracle"))
	if err != nil {
		return "", err
	}
	build := exec.Command(filepath.Join(here, "build.sh"), dir, name)
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return "", fmt.Errorf("build.sh: %w", err)
	}
	return filepath.Join(dir, file), nil
}

// Process is a running oracle.
type Process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *json.Decoder
}

// Start runs a built oracle.
func Start(binary string) (*Process, error) {
	cmd := exec.Command(binary)
	// Error messages print times in the process's zone.
	cmd.Env = append(os.Environ(), "TZ=UTC")
	cmd.Stderr = os.Stderr
	in, inErr := cmd.StdinPipe()
	out, outErr := cmd.StdoutPipe()
	if err := errors.Join(inErr, outErr); err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w; build it with test/oracle/build.sh", err)
	}
	return &Process{cmd: cmd, in: in, out: json.NewDecoder(bufio.NewReaderSize(out, 1<<20))}, nil
}

// Close ends the oracle by ending its input.
func (p *Process) Close() error { return errors.Join(p.in.Close(), p.cmd.Wait()) }

// Ask asks one question and waits for the answer.
func (p *Process) Ask(question, answer any) error {
	if err := json.NewEncoder(p.in).Encode(question); err != nil {
		return err
	}
	return p.out.Decode(answer)
}
