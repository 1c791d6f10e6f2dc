package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// tool is kubectl-ctrl as a user has it: beside a real kubectl on PATH.
type tool struct {
	dir        string
	kubeconfig string
}

const (
	pluginName  = "kubectl-ctrl"
	toolTimeout = time.Minute
)

// installTool builds the plugin and puts kubectl beside it.
func installTool(ctx context.Context, dir, binDir, kubeconfig string) (tool, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return tool{}, err
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", filepath.Join(dir, pluginName), "../../cmd/kubectl-ctrl")
	if out, err := build.CombinedOutput(); err != nil {
		return tool{}, fmt.Errorf("build %s: %w: %s", pluginName, err, out)
	}
	err := os.Symlink(filepath.Join(binDir, controlplane.Kubectl), filepath.Join(dir, controlplane.Kubectl))
	return tool{dir: dir, kubeconfig: kubeconfig}, err
}

// as is the tool in the hands of somebody else.
func (t tool) as(kubeconfig string) tool {
	t.kubeconfig = kubeconfig
	return t
}

// binary is a call of the plugin's binary, plugin one through kubectl, which
// finds it on PATH.
func (t tool) binary(ctx context.Context, args ...string) *exec.Cmd {
	return t.command(ctx, pluginName, args)
}

func (t tool) plugin(ctx context.Context, args ...string) *exec.Cmd {
	return t.command(ctx, controlplane.Kubectl, append([]string{"ctrl"}, args...))
}

func (t tool) command(ctx context.Context, name string, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(t.dir, name), args...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+t.kubeconfig, "PATH="+t.dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return cmd
}

// result is how a call ended.
type result struct {
	stdout, stderr string
	code           int
}

// finish runs a call to its end. Only a call that could not run is an error.
func finish(cmd *exec.Cmd) (result, error) {
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	r := result{stdout: stdout.String(), stderr: stderr.String(), code: cmd.ProcessState.ExitCode()}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.Exited() {
		err = nil
	}
	return r, err
}

// parsePlan reads what plan -o json prints about one target.
func parsePlan(text string) (*decision.Decision, error) {
	var d struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		decision.Decision
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&d); err != nil {
		return nil, fmt.Errorf("read the plan: %w in:\n%s", err, text)
	}
	if d.Kind != "Plan" {
		return nil, fmt.Errorf("read the plan: it is of kind %q", d.Kind)
	}
	return &d.Decision, nil
}
