package states

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/resource"
)

// reading is an environment variable that reads a label or an annotation.
func reading(name, path string) any {
	return map[string]any{"name": name, "valueFrom": map[string]any{"fieldRef": map[string]any{"fieldPath": path}}}
}

// secondContainer reads some of what the first one reads, or nothing.
func (s *scene) secondContainer() any {
	c := map[string]any{"name": "second", "image": "side:0", "resources": map[string]any{}}
	note, tier := reading("NOTE", "metadata.annotations['note']"), reading("TIER", "metadata.labels['tier']")
	alone := reading("ALONE", "metadata.annotations['alone']")
	if s.chance(60) {
		c["env"] = pick(s.draw, []any{note}, []any{tier}, []any{alone}, []any{alone, note}, []any{reading("SIDECARSET_VERSION", "metadata.annotations['note']")})
	}
	if s.chance(30) {
		c["resources"] = s.resources()
	}
	return c
}

// resources are often partial: of one resource, or without requests or limits.
func (s *scene) resources() map[string]any {
	full := map[string]any{"cpu": "200m", "memory": "64Mi"}
	switch s.between(0, 7) {
	case 0:
		return map[string]any{"requests": map[string]any{"memory": "64Mi"}}
	case 1:
		return map[string]any{"limits": full}
	case 2:
		return map[string]any{"requests": map[string]any{"cpu": "200m"}, "limits": map[string]any{"cpu": "200m"}}
	case 3:
		return map[string]any{"requests": map[string]any{"memory": "64Mi"}, "limits": full}
	default:
		return map[string]any{"requests": map[string]any{"cpu": pick(s.draw, "100m", "200m"), "memory": "64Mi"}, "limits": full}
	}
}

// resize changes one amount of a container that has such, at times to a full
// request of the limit, or to none.
func (s *scene) resize(t template, list string, n int) {
	for _, c := range t.containers() {
		amounts, ok := c.(map[string]any)["resources"].(map[string]any)[list].(map[string]any)
		if !ok || s.chance(20) {
			continue
		}
		for _, name := range []string{"cpu", "memory"} {
			if _, ok := amounts[name]; ok && s.chance(60) {
				amounts[name] = map[string]string{
					"cpu": mostly(s.draw, fmt.Sprintf("%dm", 110+n), 30, "200m", "0"), "memory": mostly(s.draw, fmt.Sprintf("%dM", 500+n), 20, "64Mi"),
				}[name]
			}
		}
		valid(c.(map[string]any)["resources"].(map[string]any))
		return
	}
}

// valid raises limits to their requests, as the API server demands: the oracle
// itself takes any Pod.
func valid(resources map[string]any) {
	requests, _ := resources["requests"].(map[string]any)
	limits, _ := resources["limits"].(map[string]any)
	for name, amount := range requests {
		limit, limited := limits[name].(string)
		request := amount.(string)
		if q := resource.MustParse(request); limited && q.Cmp(resource.MustParse(limit)) > 0 {
			limits[name] = request
		}
	}
}

// dropKey removes one label or annotation, and at times adds it back.
func (s *scene) dropKey(t template) {
	field, key := pick(s.draw, "annotations", "annotations", "labels"), pick(s.draw, "note", "alone", "note")
	if field == "labels" {
		key = "tier"
	}
	values := t.meta(field)
	if _, ok := values[key]; ok {
		delete(values, key)
	} else {
		values[key] = "back"
	}
	if len(values) == 0 {
		delete(t["metadata"].(map[string]any), field)
	}
}

// newFields came with some release of Kubernetes after 1.24: a manager that was
// built with older libraries drops them.
var newFields = []func(t template){
	func(t template) { t["spec"].(map[string]any)["hostnameOverride"] = "edge" },
	func(t template) { t["spec"].(map[string]any)["hostUsers"] = false },
	func(t template) {
		t["spec"].(map[string]any)["securityContext"] = map[string]any{"supplementalGroupsPolicy": "Strict"}
	},
	func(t template) {
		t.container(0)["lifecycle"] = map[string]any{"preStop": map[string]any{"sleep": map[string]any{"seconds": 1}}}
	},
	func(t template) { t.container(0)["lifecycle"] = map[string]any{"stopSignal": "SIGUSR1"} },
	func(t template) {
		t.container(0)["restartPolicyRules"] = []any{map[string]any{"action": "Restart"}}
	},
}

func (s *scene) newField(t template) { pick(s.draw, newFields...)(t) }
