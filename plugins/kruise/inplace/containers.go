package inplace

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// Changed is what an update of a whole Pod changes in it, as a strategic merge patch: of
// labels, annotations and containers, which an update in place writes. It is empty where
// that is nothing.
func Changed(was, now *corev1.Pod) string {
	meta, spec := map[string]any{}, map[string]any{}
	put(meta, "labels", changedEntries(was.Labels, now.Labels))
	put(meta, "annotations", changedEntries(was.Annotations, now.Annotations))
	var containers []any
	for i := range min(len(was.Spec.Containers), len(now.Spec.Containers)) {
		if c := changedContainer(&was.Spec.Containers[i], &now.Spec.Containers[i]); c != nil {
			containers = append(containers, c)
		}
	}
	if containers != nil {
		spec["containers"] = containers
	}
	patch := map[string]any{}
	put(patch, "metadata", meta)
	put(patch, "spec", spec)
	if len(patch) == 0 {
		return ""
	}
	text, err := json.Marshal(patch)
	if err != nil {
		return "" // text and quantities: they can be encoded
	}
	return string(text)
}

func put(in map[string]any, key string, value map[string]any) {
	if len(value) > 0 {
		in[key] = value
	}
}

// changedEntries are those that are new or other ones, and null for those that are gone.
func changedEntries(was, now map[string]string) map[string]any {
	changed := map[string]any{}
	for k, v := range now {
		if old, had := was[k]; !had || old != v {
			changed[k] = v
		}
	}
	for k := range was {
		if _, has := now[k]; !has {
			changed[k] = nil
		}
	}
	return changed
}

func changedContainer(was, now *corev1.Container) map[string]any {
	changed := map[string]any{}
	if was.Image != now.Image {
		changed["image"] = now.Image
	}
	if !reflect.DeepEqual(was.Resources, now.Resources) {
		changed["resources"] = now.Resources
	}
	if len(changed) == 0 {
		return nil
	}
	changed["name"] = now.Name
	return changed
}

// Effects are what becomes of a Pod's containers when an update in place is written.
// Kubelets since 1.31 hash a container's name and image (byImage), before that all of it:
// one whose hash is another one they restart (HashContainer of pkg/kubelet/container/
// helpers.go, computePodActions of pkg/kubelet/kuberuntime/kuberuntime_manager.go, v1.37.1).
// kruise-daemon stops a container whose environment read other labels or annotations (pkg/
// daemon/containermeta, v1.9.1).
func Effects(was, now *corev1.Pod, byImage bool) []decision.Fact {
	var restarts, stops, resized, stay []string
	for i := range min(len(was.Spec.Containers), len(now.Spec.Containers)) {
		before, after := &was.Spec.Containers[i], &now.Spec.Containers[i]
		switch {
		case before.Image != after.Image:
			restarts = append(restarts, after.Name+hashes(before, after, byImage))
		case !slices.Equal(envFromMetadata(before, was), envFromMetadata(after, now)):
			stops = append(stops, after.Name)
		case !reflect.DeepEqual(before.Resources, after.Resources):
			resized = append(resized, after.Name)
		default:
			stay = append(stay, after.Name)
		}
	}
	return []decision.Fact{
		decision.F(KeyRestarts, format.List(restarts)), decision.F(KeyStops, format.List(stops)),
		decision.F(KeyResized, format.List(resized)), decision.F(KeyStay, format.List(stay)),
	}
}

// hashes are the kubelet's of a container before and after.
func hashes(was, now *corev1.Container, byImage bool) string {
	if !byImage {
		return ""
	}
	return fmt.Sprintf(" (hash %x → %x)", imageHash(was.Name, was.Image), imageHash(now.Name, now.Image))
}
