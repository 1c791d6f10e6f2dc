package controlplane

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// TestCluster walks through what the other tests rely on, in one cluster.
func TestCluster(t *testing.T) {
	c := startCluster(t, Options{Nodes: 2, NoLeaderElection: true, Users: []User{{Name: "jane", Groups: []string{"dev", "ops"}}}})
	t.Run("PauseAndResume", c.testPauseAndResume)
	t.Run("Users", c.testUsers)
	t.Run("RestartAPIServer", c.testRestartAPIServer)
	t.Run("Stop", c.testStop)
}

func (c testCluster) testPauseAndResume(t *testing.T) {
	ctx := t.Context()
	c.createReplicaSet(t, "web", 7)
	check(t, c.WaitForReadyPods(ctx, namespace, "app=web", 7))

	check(t, c.Pause(ControllerManager))
	mark := c.mark(t)
	c.scale(t, "web", 3)
	time.Sleep(2 * time.Second)
	check(t, c.WaitForReadyPods(ctx, namespace, "app=web", 7))

	begin := time.Now()
	check(t, c.Resume(ctx, ControllerManager))
	deletes, err := c.WaitForAudit(ctx, mark, 4, isPodDelete)
	check(t, err)
	t.Logf("acted %v after it was resumed", time.Since(begin))
	check(t, c.WaitForReadyPods(ctx, namespace, "app=web", 3))
	c.checkDeletes(t, deletes)
}

func isPodDelete(e AuditEvent) bool {
	return e.Verb == "delete" && e.ObjectRef.Resource == "pods" && e.Controller() == "replicaset-controller"
}

// checkDeletes reads the deleted pods from the answers.
func (c testCluster) checkDeletes(t *testing.T, deletes []AuditEvent) {
	t.Helper()
	for _, event := range deletes {
		var pod corev1.Pod
		check(t, json.Unmarshal(event.ResponseObject, &pod))
		if pod.Name != event.ObjectRef.Name || pod.DeletionTimestamp == nil || event.ResponseStatus.Code != 200 {
			t.Errorf("unexpected answer to the deletion of %s: %s", event.ObjectRef.Name, event.ResponseObject)
		}
	}
}

func (c testCluster) testUsers(t *testing.T) {
	path, err := c.KubeconfigFor("jane")
	check(t, err)
	out, err := c.Kubectl(t.Context(), nil, "--kubeconfig", path, "auth", "whoami")
	check(t, err)
	if !strings.Contains(out, "jane") || !strings.Contains(out, "[dev ops") {
		t.Errorf("whoami says:\n%s", out)
	}
	_, err = c.Kubectl(t.Context(), nil, "--kubeconfig", path, "get", "pods")
	if err == nil || !strings.Contains(err.Error(), "Forbidden") {
		t.Errorf("jane may list pods: %v", err)
	}
	if _, err := c.KubeconfigFor("joe"); err == nil {
		t.Error("joe is not in Options.Users, but has a kubeconfig")
	}
}

// testRestartAPIServer shows that the others find the new server.
func (c testCluster) testRestartAPIServer(t *testing.T) {
	check(t, c.Restart(t.Context(), APIServer))
	mark := c.mark(t)
	c.scale(t, "web", 4)
	check(t, c.WaitForReadyPods(t.Context(), namespace, "app=web", 4))
	created, err := c.WaitForAudit(t.Context(), mark, 1, func(e AuditEvent) bool {
		return e.Verb == "create" && e.ObjectRef.Resource == "pods" && e.ObjectRef.Subresource == ""
	})
	check(t, err)
	if !strings.Contains(string(created[0].RequestObject), `"generateName":"web-"`) {
		t.Errorf("request body of the creation: %s", created[0].RequestObject)
	}
}

func (c testCluster) testStop(t *testing.T) {
	pids := c.pids()
	check(t, c.Stop())
	for component, pid := range pids {
		if alive(pid) {
			t.Errorf("%s (process %d) is left", component, pid)
		}
	}
}

// TestStartFails shows that a component that cannot start is named, with what
// it said, and that nothing is left behind.
func TestStartFails(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a control plane")
	}
	extra := map[Component][]string{Etcd: {"--no-such-flag=1"}}

	_, err := Start(t.Context(), Options{ExtraArgs: extra})
	if err == nil || !strings.Contains(err.Error(), "wait for etcd: it exited") || !strings.Contains(err.Error(), "no-such-flag") {
		t.Errorf("unexpected error: %v", err)
	}
}
