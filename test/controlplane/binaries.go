package controlplane

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// Build runs build.sh and returns the folder that then holds the binaries. It
// is quick when they are there already.
func Build(ctx context.Context, opts Options) (string, error) {
	root, err := repositoryRoot()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(root, ".cache", "controlplane", "bin")
	script := filepath.Join(root, buildScript)
	if err := runBuild(ctx, opts, script, dir); err != nil {
		return "", fmt.Errorf("build the control plane: %w", err)
	}
	if !opts.Kruise {
		return dir, nil
	}
	if err := runBuild(ctx, opts, script, dir, string(Kruise)); err != nil {
		return "", fmt.Errorf("build %s: %w", Kruise, err)
	}
	return dir, nil
}

var buildScript = filepath.Join("test", "controlplane", "build.sh")

func runBuild(ctx context.Context, opts Options, script string, args ...string) error {
	cmd := exec.CommandContext(ctx, script, args...)
	cmd.Stdout, cmd.Stderr = opts.log(), opts.log()
	// The compilers are children of the script and go when it goes.
	cmd.SysProcAttr = childAttr()
	cmd.Cancel = func() error { return killGroup(cmd.Process.Pid) }
	cmd.WaitDelay = 5 * time.Second
	return cmd.Run()
}

// repositoryRoot looks upwards, because "go test" runs in the folder of the
// package under test and "go run" where the developer stands.
func repositoryRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the repository: %w", err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, buildScript)); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("find the repository: run this inside a checkout, or set Options.BinDir")
		}
	}
}
