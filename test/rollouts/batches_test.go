package rollouts

import (
	"encoding/json"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestLaunchPriorities holds updates in place of containers with launch
// priorities to what the real manager records of its batches.
func TestLaunchPriorities(t *testing.T) {
	c := start(t)
	container := func(name string, priority int) string {
		return fmt.Sprintf(`{"name":%q,"image":"%s:1","env":[{"name":"KRUISE_CONTAINER_PRIORITY","value":"%d"}]}`, name, name, priority)
	}
	c.settledOf(t, "batches", 2, `{"type":"InPlaceOnly","maxUnavailable":1,"priorityStrategy":{"orderPriority":[{"orderedKey":"order"}]}}`,
		"["+container("main", 5)+","+container("proxy", 10)+","+container("logs", 0)+"]")
	flags := []string{"--image", "main=main:2", "--image", "proxy=proxy:2", "--image", "logs=logs:2"}
	want := batchesOf(c.plan(t, append([]string{"clone/batches"}, flags...)))
	var images []string
	for i, name := range []string{"main", "proxy", "logs"} {
		images = append(images, fmt.Sprintf(`{"op":"replace","path":"/spec/template/spec/containers/%d/image","value":"%s:2"}`, i, name))
	}
	c.hold(t, "batches", step{flags: flags, json: "[" + images[0] + "," + images[1] + "," + images[2] + "]", outcome: decision.Stable})
	if got := c.recorded(t, "batches"); got != want || got != "[proxy] [main] [logs]" {
		t.Errorf("the manager records the batches %s; predicted were %s", got, want)
	}
}

// batchesOf are the batches of the pod that is updated first.
func batchesOf(line *decision.Timeline) string {
	text, pod := "", ""
	for _, r := range line.Rounds {
		for _, a := range r.Actions {
			if a.Verb != decision.UpdateInPlace || pod != "" && a.Object.Name != pod {
				continue
			}
			if pod == "" { // of the three containers, the one that is not left for later
				if pod, text = a.Object.Name, "[proxy]"; a.Facts.Str("later") != "logs, main" {
					text = "all but " + a.Facts.Str("later")
				}
				continue
			}
			text += " [" + a.Facts.Str("containers") + "]"
		}
	}
	return text
}

// recorded are the batches that the manager notes on a pod; all have the same.
func (c cluster) recorded(t *testing.T, name string) string {
	t.Helper()
	var pods corev1.PodList
	if err := json.Unmarshal([]byte(c.kubectl(t, nil, "get", "pods", "-l", "app="+name, "-o", "json")), &pods); err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, p := range pods.Items {
		var state struct {
			Batches []struct {
				Containers []string `json:"containers"`
			} `json:"containerBatchesRecord"`
		}
		if err := json.Unmarshal([]byte(p.Annotations["apps.kruise.io/inplace-update-state"]), &state); err != nil {
			t.Fatal(err)
		}
		here := ""
		for i, b := range state.Batches {
			if i > 0 {
				here += " "
			}
			here += fmt.Sprint(b.Containers)
		}
		if text != "" && here != text {
			t.Errorf("one pod has the batches %s, another %s", text, here)
		}
		text = here
	}
	return text
}
