package controlplane

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestResumeUnderLeaderElection shows both ways in which a paused controller
// manager goes on.
func TestResumeUnderLeaderElection(t *testing.T) {
	c := startCluster(t, Options{Nodes: 1})
	c.createReplicaSet(t, "web", 3)
	check(t, c.WaitForReadyPods(t.Context(), namespace, "app=web", 3))
	before := c.pids()[ControllerManager]

	check(t, c.Pause(ControllerManager))
	c.scale(t, "web", 2)
	check(t, c.Resume(t.Context(), ControllerManager))
	check(t, c.WaitForReadyPods(t.Context(), namespace, "app=web", 2))
	if c.pids()[ControllerManager] != before {
		t.Error("the controller manager was started again, though it kept its Lease")
	}

	check(t, c.Pause(ControllerManager))
	c.scale(t, "web", 1)
	c.stealLease(t, ControllerManager)
	check(t, c.Resume(t.Context(), ControllerManager))
	check(t, c.WaitForReadyPods(t.Context(), namespace, "app=web", 1))
	if c.pids()[ControllerManager] == before {
		t.Error("the controller manager goes on without its Lease")
	}
}

// stealLease does what another candidate would do with a Lease that expired.
func (c testCluster) stealLease(t *testing.T, component Component) {
	t.Helper()
	leases := c.client.CoordinationV1().Leases(metav1.NamespaceSystem)
	lease, err := leases.Get(t.Context(), string(component), metav1.GetOptions{})
	check(t, err)
	thief := "another"
	lease.Spec.HolderIdentity = &thief
	_, err = leases.Update(t.Context(), lease, metav1.UpdateOptions{})
	check(t, err)
}
