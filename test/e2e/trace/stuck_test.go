package trace

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// TestFrozenManager stops the controller manager: within 20 seconds the trace
// says that it should have acted, and that it does not renew its Lease.
func TestFrozenManager(t *testing.T) {
	ns := newNamespace(t)
	createSet(t, ns, "web", 2)
	waitForPods(t, ns, "app=web", 2)
	r := startTrace(t, env.Kubeconfig(), "-n", ns)
	check(t, env.Pause(controlplane.ControllerManager))
	resumed := false
	defer func() {
		if !resumed {
			check(t, env.Resume(t.Context(), controlplane.ControllerManager))
		}
	}()
	frozen := time.Now()
	scaleSet(t, ns, "web", 4)
	r.await(20*time.Second, "delay that the Lease explains", verdictOn("web", entry.Late, "ManagerSilent", "ManagerLost"))
	t.Logf("called out after %v", time.Since(frozen))
	check(t, env.Resume(t.Context(), controlplane.ControllerManager))
	resumed = true
	waitForPods(t, ns, "app=web", 4)
	r.quiet(2*time.Second, 30*time.Second)
	sum := r.stop()
	if sum.Misses != 0 || sum.Predicted+sum.SeenFirst < 2 {
		t.Errorf("the two creations were predicted, got %+v", sum)
	}
}

// TestQuotaRefusal fills a quota: the trace tells that from a frozen manager.
func TestQuotaRefusal(t *testing.T) {
	ns := newNamespace(t)
	check(t, env.Limit(t.Context(), ns, "pods", corev1.ResourceList{corev1.ResourcePods: resource.MustParse("2")}))
	createSet(t, ns, "web", 2)
	waitForPods(t, ns, "app=web", 2)
	r := startTrace(t, env.Kubeconfig(), "-n", ns)
	scaleSet(t, ns, "web", 3)
	e := r.await(20*time.Second, "refusal", verdictOn("web", entry.Refused, "QuotaShortfall", "FailedCreateEvent"))
	if !has(e.Verdict.Evidence, "ManagerAlive") {
		t.Errorf("the manager is alive, the evidence is %+v", e.Verdict.Evidence)
	}
	time.Sleep(12 * time.Second)
	for _, e := range r.all() {
		if e.Verdict != nil && e.Verdict.State == entry.Late {
			t.Errorf("called late: %+v", e.Verdict)
		}
	}
	if sum := r.stop(); sum.Misses != 0 || sum.Late != 0 {
		t.Errorf("got %+v", sum)
	}
}

func newNamespace(t *testing.T) string {
	t.Helper()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: slug(t.Name()) + "-"}}
	ns, err := env.client.CoreV1().Namespaces().Create(t.Context(), ns, metav1.CreateOptions{})
	check(t, err)
	return ns.Name
}

func template(app string) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": app}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "main:1"}}},
	}
}

func createSet(t *testing.T, ns, name string, replicas int32) {
	t.Helper()
	set := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Name: name}}
	set.Spec = appsv1.ReplicaSetSpec{Replicas: &replicas, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": name}}, Template: template(name)}
	_, err := env.client.AppsV1().ReplicaSets(ns).Create(t.Context(), set, metav1.CreateOptions{})
	check(t, err)
}

func scaleSet(t *testing.T, ns, name string, replicas int32) {
	t.Helper()
	scale, err := env.client.AppsV1().ReplicaSets(ns).GetScale(t.Context(), name, metav1.GetOptions{})
	check(t, err)
	scale.Spec.Replicas = replicas
	_, err = env.client.AppsV1().ReplicaSets(ns).UpdateScale(t.Context(), name, scale, metav1.UpdateOptions{})
	check(t, err)
}

func waitForPods(t *testing.T, ns, selector string, count int) {
	t.Helper()
	check(t, env.WaitForReadyPods(t.Context(), ns, selector, count))
}
