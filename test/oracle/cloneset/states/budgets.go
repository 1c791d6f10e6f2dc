package states

import (
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// drawBudgets draws PodUnavailableBudgets and binds pods to them, mostly where
// their gate is on.
func (s *scene) drawBudgets() []json.RawMessage {
	if !s.gates[kruise.UnavailableBudgetUpdate] && !s.chance(5) {
		return nil
	}
	bound := pick(s.draw, 100, 100, 90, 50)
	for _, p := range s.pods {
		if s.chance(bound) {
			p.Annotations["kruise.io/related-pub"] = mostly(s.draw, Name, 15, "batch", "batch", "gone", "")
		}
		s.exempt(p)
	}
	return []json.RawMessage{s.budget(Name), s.budget("batch")}
}

func (s *scene) budget(name string) json.RawMessage {
	meta := map[string]any{"name": name, "namespace": Namespace, "uid": "uid-pub-" + name, "resourceVersion": "90"}
	if s.chance(20) {
		meta["annotations"] = map[string]any{"kruise.io/pub-protect-operations": pick(s.draw, "", "DELETE,EVICT", "UPDATE", "DELETE,UPDATE,EVICT", "DELETE, UPDATE")}
	}
	records := func(percent int) map[string]any {
		at := map[string]any{}
		for i := range 8 {
			if s.chance(percent) {
				at[podName(i)] = ago(s.between(0, 30))
			}
		}
		return at
	}
	unavailable := records(mostly(s.draw, 0, 40, 15, 30))
	if s.chance(6) {
		for i := range s.between(1999, 2001) {
			unavailable[fmt.Sprintf("other-%d", i)] = ago(5)
		}
	}
	return encode(map[string]any{
		"apiVersion": "policy.kruise.io/v1alpha1", "kind": "PodUnavailableBudget", "metadata": meta,
		"spec": map[string]any{"selector": map[string]any{"matchLabels": map[string]any{"app": Name}}, "maxUnavailable": 1},
		"status": map[string]any{
			"observedGeneration": 0, "unavailableAllowed": mostly(s.draw, s.between(0, 3), 5, -1, 8), "desiredAvailable": mostly(s.draw, 2, 5, 0),
			"currentAvailable": 3, "totalReplicas": s.wanted, "unavailablePods": unavailable, "disruptedPods": records(mostly(s.draw, 0, 20, 20)),
		},
	})
}

// exempt gives some pods what lets them pass their budget.
func (s *scene) exempt(p *corev1.Pod) {
	if s.chance(4) {
		p.Annotations["pub.kruise.io/no-protect"] = pick(s.draw, "true", "true", "false")
	}
	if s.chance(3) {
		p.Labels["unavailable-pod.kruise.io/drain"] = ""
	}
	if s.chance(6) {
		s.pinned(p)
	}
	if s.chance(6) {
		s.sidecar(p)
	}
}

// pinned gives containers images by digest, which run or do not.
func (s *scene) pinned(p *corev1.Pod) {
	hex := func(c string) string { return "@sha256:" + strings.Repeat(c, 64) }
	for i := range p.Spec.Containers {
		if s.chance(30) {
			continue
		}
		p.Spec.Containers[i].Image = mostly(s.draw, "shop/web", 30, "shop/web:1", "web") + hex("a")
		p.Status.ContainerStatuses[i].ImageID = pick(s.draw, "docker-pullable://shop/web"+hex("a"), "shop/web"+hex("a"), "shop/web:1"+hex("a"), "shop/web"+hex("b"), "docker.io/shop/web"+hex("a"), "sha256:"+strings.Repeat("a", 64), "")
	}
}

// sidecar makes a container one that a SidecarSet injected.
func (s *scene) sidecar(p *corev1.Pod) {
	c, status := &p.Spec.Containers[0], &p.Status.ContainerStatuses[0]
	c.Env = append(c.Env, corev1.EnvVar{Name: "IS_INJECTED", Value: mostly(s.draw, "true", 15, "false")})
	if s.chance(85) {
		p.Annotations["kruise.io/sidecarset-injected-list"] = pick(s.draw, "logs", "logs,mesh", "mesh")
	}
	state := map[string]any{"logs": map[string]any{"revision": "x", "lastContainerStatuses": map[string]any{c.Name: map[string]any{"imageID": mostly(s.draw, status.ImageID, 30, "id-old")}}}}
	if s.chance(50) {
		status.Image = "side:old"
	}
	switch {
	case s.chance(85):
		p.Annotations["kruise.io/sidecarset-inplace-update-state"] = string(encode(state))
	case s.chance(30):
		p.Annotations["kruise.io/sidecarset-inplace-update-state"] = "{broken"
	}
}
