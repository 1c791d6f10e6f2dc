package health

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// TestOnlyHere says on which nodes an image runs that another node does not have.
func TestOnlyHere(t *testing.T) {
	lacks := pod(t, onNode, status("11:59:59", `state: {waiting: {reason: ErrImagePull, message: '429 Too Many Requests'}}`))
	on := func(node, image, state string) *corev1.Pod {
		p := pod(t, onNode, status("11:00:00", "image: '"+image+"', state: {"+state+": {}}"))
		p.Spec.NodeName = node
		return p
	}
	const image, running, why = "shop/edge:1.9", "running", ": 429 Too Many Requests"
	initial := pod(t, `spec: {nodeName: n2, initContainers: [{name: app, image: shop/edge:1.9}]}`, `status: {initContainerStatuses: [{name: app, image: shop/edge:1.9, state: {running: {}}}]}`)
	other := on("n2", "shop/edge:1.8", running)
	other.Spec.Containers[0].Image = "shop/edge:1.8"
	for name, c := range map[string]struct {
		pods []*corev1.Pod
		want string
	}{
		"nowhere":           {nil, ""},
		"elsewhere":         {[]*corev1.Pod{on("n2", image, running)}, " (on node n1; it runs on n2)"},
		"on three nodes":    {[]*corev1.Pod{on("n3", image, running), on("n2", "docker.io/"+image, running), on("n4", "docker.io/library/"+image, running)}, " (on node n1; it runs on n2, n3, n4)"},
		"on many nodes":     {[]*corev1.Pod{on("n5", image, running), on("n3", image, running), on("n2", image, running), on("n4", image, running)}, " (on node n1; it runs on n2, n3, n4 and 1 more)"},
		"as init container": {[]*corev1.Pod{initial}, " (on node n1; it runs on n2)"},
		"here as well":      {[]*corev1.Pod{on("n2", image, running), on("n1", image, running)}, ""},
		"updated in place":  {[]*corev1.Pod{on("n2", "shop/edge:1.8", running)}, ""},
		"of another image":  {[]*corev1.Pod{other}, ""},
		"not running":       {[]*corev1.Pod{on("n2", image, "waiting")}, ""},
	} {
		found, _ := Pod(lacks, nil, Options{Now: now, runOn: runningOn(append(c.pods, lacks))})
		if want := "image shop/edge:1.9 cannot be pulled" + c.want + why; found.Message != want {
			t.Errorf("%s: %q, want %q", name, found.Message, want)
		}
	}
}

// TestAsked names the imagePullSecrets with which a registry denies an image.
func TestAsked(t *testing.T) {
	lacks := pod(t, onNode, status("11:59:59", `state: {waiting: {reason: ErrImagePull, message: '401 Unauthorized'}}`))
	lacks.Spec.ImagePullSecrets = []corev1.LocalObjectReference{{Name: "regcred"}, {Name: "mirror"}}
	found, _ := Pod(lacks, nil, Options{Now: now})
	if want := "image shop/edge:1.9 denied by the registry; its imagePullSecrets: regcred, mirror"; found.Message != want {
		t.Errorf("%q, want %q", found.Message, want)
	}
}
