package cloneset

import (
	"os/exec"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestWait waits for a CloneSet: made right before, updated in place, held by a pause,
// and up to its partition.
func TestWait(t *testing.T) {
	w := newWorld(t)
	_, err := w.sets().Create(t.Context(), cloneSet(), metav1.CreateOptions{})
	w.check(err)
	w.waits(0, "stable, 3 of 3 replicas available.")
	w.image("main:2")
	w.waits(0, "stable, 3 of 3 replicas available.")
	w.wantImages("main:2", 3)
	w.patch(`{"updateStrategy":{"paused":true}}`)
	w.image("main:3")
	w.waits(3, "0 of 3 updated; paused with outstanding updates.")
	w.patch(`{"updateStrategy":{"paused":false,"partition":2}}`)
	w.waits(0, "stable, 3 of 3 replicas available, 1 updated; partition 2 is reached.")
	w.wantImages("main:3", 1)
	w.patch(`{"replicas":5,"updateStrategy":{"partition":0}}`)
	w.waits(0, "stable, 5 of 5 replicas available.")
	w.wantImages("main:3", 5)
}

// waits wants an exit status of a wait, and how its last line ends.
func (w *world) waits(status int, last string) {
	w.Helper()
	cmd := exec.CommandContext(w.Context(), env.tool, "wait", "cloneset/"+web, "--timeout", "50s", "--namespace", w.namespace, "--kubeconfig", env.Kubeconfig())
	out, _ := cmd.CombinedOutput() // the exit status is compared
	if got := cmd.ProcessState.ExitCode(); got != status || !strings.HasSuffix(string(out), last+"\n") {
		w.Errorf("exit status %d, want %d with a last line that ends with %q:\n%s", got, status, last, out)
	}
}

// wantImages wants so many Pods of an image.
func (w *world) wantImages(image string, count int) {
	w.Helper()
	n := 0
	for _, p := range w.pods() {
		if p.Spec.Containers[0].Image == image {
			n++
		}
	}
	if n != count {
		w.Errorf("%d Pods of %s when the wait ended, want %d", n, image, count)
	}
}
