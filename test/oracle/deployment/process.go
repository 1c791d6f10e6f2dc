package deployment

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/deployment/contract"
)

// Versions lists the releases that have an oracle, by the directories beside
// this file; here is that directory.
func Versions(here string) ([]string, error) {
	dirs, err := filepath.Glob(filepath.Join(here, "kubernetes-*"))
	if err != nil {
		return nil, err
	}
	for i, dir := range dirs {
		dirs[i] = strings.TrimPrefix(filepath.Base(dir), "kubernetes-")
	}
	return dirs, nil
}

// Binary is the built oracle of a version: in the directory that $ORACLES
// names, or in .cache/oracle of the repository, built now.
func Binary(here, version string) (string, error) {
	name := "oracle-deployment-" + version
	if dir := os.Getenv("ORACLES"); dir != "" {
		return filepath.Join(dir, name), nil
	}
	dir, err := filepath.Abs(filepath.Join(here, "..", "..", "..", ".cache", "oracle"))
	if err != nil {
		return "", err
	}
	build := exec.Command(filepath.Join(here, "..", "build.sh"), dir, "deployment-"+version)
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return "", fmt.Errorf("build.sh: %w", err)
	}
	return filepath.Join(dir, name), nil
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

// Ask asks one question.
func (p *Process) Ask(req *contract.Request) (*contract.Response, error) {
	if err := json.NewEncoder(p.in).Encode(req); err != nil {
		return nil, err
	}
	resp := &contract.Response{}
	if err := p.out.Decode(resp); err != nil {
		return nil, err
	}
	if resp.Error != "" {
		return nil, errors.New(resp.Error)
	}
	return resp, nil
}
