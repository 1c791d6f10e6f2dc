package inplace

import (
	"encoding/json"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// TestStatesByRelease: since 1.8 a state says that images are updated and keeps the image IDs
// that it has; before, what newer releases wrote is dropped, and the IDs are those of today.
func TestStatesByRelease(t *testing.T) {
	now := metav1.NewTime(time.Unix(1000, 0).UTC())
	pod := func(state string) *corev1.Pod {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{}}}
		if state != "" {
			p.Annotations[kruise.UpdateAnnotation] = state
		}
		for _, name := range []string{"main", "second"} {
			p.Spec.Containers = append(p.Spec.Containers, corev1.Container{Name: name, Image: "web:1"})
			p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, corev1.ContainerStatus{Name: name, ImageID: "id-of-" + name})
		}
		return p
	}
	const stored = `{"revision":"r","updateTimestamp":null,"updateImages":true,"lastContainerStatuses":{"second":{"imageID":"id-old"}},` +
		`"nextContainerImages":{"second":"web:2"},"nextContainerResources":{"main":{}}}`
	const batch = `"containerBatchesRecord":[{"timestamp":"1970-01-01T00:16:40Z","containers":`
	for _, c := range []struct{ release, begun, continued string }{
		{"1.7", `"lastContainerStatuses":{"main":{"imageID":"id-of-main"}},` + batch + `["main"]}]`,
			`"lastContainerStatuses":{"second":{"imageID":"id-of-second"}},` + batch + `["second"]}]`},
		{"1.8", `"lastContainerStatuses":{"main":{"imageID":"id-of-main"}},"updateImages":true,` + batch + `["main"]}]`,
			`"lastContainerStatuses":{"second":{"imageID":"id-old"}},"updateResources":true,"updateImages":true,` + batch + `["main","second"]}]`},
	} {
		b := ReleaseOf(kruise.Program.Installed(profile.ProgramOptions{Version: c.release}, profile.Manager{}))
		begun, continued := pod(""), pod(stored)
		b.Begin(begun, Update{Revision: "r", ContainerUpdate: ContainerUpdate{ContainerImages: map[string]string{"main": "web:2"}}}, 0, now)
		b.Continue(continued, now)
		for p, want := range map[*corev1.Pod]string{
			begun: `{"revision":"r","updateTimestamp":"1970-01-01T00:16:40Z",` + c.begun + `}`, continued: `{"revision":"r","updateTimestamp":null,` + c.continued + `}`,
		} {
			got := p.Annotations[kruise.UpdateAnnotation]
			if canonical(t, got) != canonical(t, want) {
				t.Errorf("%s: got\n%s\nwant\n%s", c.release, got, want)
			}
		}
	}
}

func canonical(t *testing.T, text string) string {
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err, text)
	}
	again, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(again)
}

// TestGraceByRelease: before 1.8 the resources of an update that waits for its grace period
// are not read, and no batch is one of them.
func TestGraceByRelease(t *testing.T) {
	const waiting = `{"revision":"r","containerImages":{"main":"web:2"},"containerResources":{"second":{}},"graceSeconds":30}`
	for release, want := range map[string]string{"1.7": `["main"]`, "1.8": `["main","second"]`} {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{kruise.GraceAnnotation: waiting, kruise.UpdateAnnotation: `{"revision":"r"}`}}}
		p.Spec.Containers = []corev1.Container{{Name: "main", Image: "web:1"}, {Name: "second", Image: "side:1"}}
		ReleaseOf(kruise.Program.Installed(profile.ProgramOptions{Version: release}, profile.Manager{})).EndGrace(p, metav1.NewTime(time.Unix(1000, 0).UTC()))
		var st State
		if err := json.Unmarshal([]byte(p.Annotations[kruise.UpdateAnnotation]), &st); err != nil {
			t.Fatal(err)
		}
		if got, _ := json.Marshal(st.ContainerBatchesRecord[0].Containers); string(got) != want {
			t.Errorf("%s: the batch is of %s, want %s", release, got, want)
		}
	}
}
