package controlplane

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// orphanLog makes the test binary a program that starts a child, says its
// process id, and panics.
const orphanLog = "CONTROLPLANE_TEST_ORPHAN_LOG"

func TestMain(m *testing.M) {
	if path := os.Getenv(orphanLog); path != "" {
		becomeParentAndPanic(path)
	}
	os.Exit(m.Run())
}

func becomeParentAndPanic(logPath string) {
	p, err := startProcess("/bin/sleep", []string{"300"}, nil, logPath)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.cmd.Process.Pid)
	panic("as a test would")
}

// TestParentDies shows that components do not outlive a program that had no
// chance to stop them.
func TestParentDies(t *testing.T) {
	self, err := os.Executable()
	check(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), orphanLog+"="+filepath.Join(t.TempDir(), "log"))
	out, err := cmd.StdoutPipe()
	check(t, err)
	check(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	check(t, err)
	if err := cmd.Wait(); err == nil {
		t.Error("the parent did not panic")
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	check(t, err)
	for range 100 {
		if !alive(pid) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("process %d outlives its parent", pid)
}
