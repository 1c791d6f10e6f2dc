package cloneset

import "fmt"

// The edits of a CloneSet's spec.

func replicas(n int64) func(object) { return func(spec object) { spec["replicas"] = n } }

// update sets a field of updateStrategy, scale one of scaleStrategy.
func update(field string, value any) func(object) {
	return func(spec object) { spec["updateStrategy"].(object)[field] = value }
}

func scale(field string, value any) func(object) {
	return func(spec object) { spec["scaleStrategy"].(object)[field] = value }
}

func field(name string, value any) func(object) { return func(spec object) { spec[name] = value } }

// hook lets pods be born with a label that a hook of the lifecycle waits for.
func hook(name string) func(object) {
	return func(spec object) {
		spec["lifecycle"].(object)[name] = object{"labelsHandler": object{"hook": "held"}}
		spec["template"].(object)["metadata"].(object)["labels"].(object)["hook"] = "held"
	}
}

// volumes gives pods a claim each. There is nobody to bind it, so the pods name
// their node themselves.
func volumes(spec object) {
	spec["volumeClaimTemplates"] = []any{object{
		"metadata": object{"name": "data"},
		"spec":     object{"accessModes": []any{"ReadWriteOnce"}, "resources": object{"requests": object{"storage": "1Gi"}}},
	}}
	spec["template"].(object)["spec"].(object)["nodeName"] = "node-0"
}

// The changes of scenarios, made by a user.

func patch(format string, args ...any) func(*world) {
	return func(w *world) { w.Helper(); w.patch(fmt.Sprintf(format, args...)) }
}

func image(name string) func(*world) { return func(w *world) { w.Helper(); w.image(name) } }

// each does several things one after another.
func each(all ...func(*world)) func(*world) {
	return func(w *world) {
		w.Helper()
		for _, do := range all {
			do(w)
		}
	}
}

// onPod patches the i-th pod.
func onPod(i int, body string, subresource ...string) func(*world) {
	return func(w *world) { w.Helper(); w.patchPod(w.pods()[i].Name, body, subresource...) }
}

func label(i int, key, value string) func(*world) {
	if value == "" {
		return onPod(i, fmt.Sprintf(`{"metadata":{"labels":{%q:null}}}`, key))
	}
	return onPod(i, fmt.Sprintf(`{"metadata":{"labels":{%q:%q}}}`, key, value))
}

// unready makes a pod not ready for good: its containers are not.
func unready(i int) func(*world) {
	return onPod(i, `{"status":{"conditions":[{"type":"Ready","status":"False"},{"type":"ContainersReady","status":"False"}]}}`, "status")
}
