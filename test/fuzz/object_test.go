package fuzz

import (
	"encoding/json"
	"maps"
	"testing"
)

// object is an object as JSON has it.
type object = map[string]any

// now stands in an object of every bundle, so that ages are measured at it.
const now = "2026-11-01T12:00:00Z"

// named is an object with what every object has, and with more fields.
func named(apiVersion, kind, name string, labels, annotations map[string]string, fields object) object {
	o := object{"apiVersion": apiVersion, "kind": kind, "metadata": object{
		"name": name, "namespace": "shop", "uid": "uid-" + name, "creationTimestamp": "2026-11-01T10:00:00Z",
		"labels": labels, "annotations": annotations,
	}}
	maps.Copy(o, fields)
	return o
}

// of makes o's controller an object of another kind.
func of(o object, apiVersion, kind, name string) object {
	o["metadata"].(object)["ownerReferences"] = []any{object{
		"apiVersion": apiVersion, "kind": kind, "name": name, "uid": "uid-" + name, "controller": true,
	}}
	return o
}

// running is a pod on a node, ready since a time.
func running(image, ready string) object {
	return object{
		"spec": object{"nodeName": "n1", "containers": []any{object{"name": "main", "image": image}}},
		"status": object{
			"phase": "Running", "conditions": []any{object{"type": "Ready", "status": "True", "lastTransitionTime": ready}},
			"containerStatuses": []any{object{"name": "main", "image": image, "imageID": "sha256:1", "ready": true}},
		},
	}
}

// template is a pod template with labels that the selectors here match.
func template(image string) object {
	return object{
		"metadata": object{"labels": object{"app": "web"}},
		"spec":     object{"containers": []any{object{"name": "main", "image": image}}},
	}
}

var (
	web      = map[string]string{"app": "web"}
	selector = object{"matchLabels": object{"app": "web"}}
)

// world is a cluster as a list.
type world struct{ items []any }

func (w *world) add(o object) { w.items = append(w.items, o) }

// bundle is the list as text. Bytes that are no UTF-8 become U+FFFD.
func (w *world) bundle(t *testing.T) []byte {
	t.Helper()
	text, err := json.Marshal(object{"apiVersion": "v1", "kind": "List", "items": w.items})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// raw embeds bytes as they are when they are JSON.
func raw(text []byte) any {
	var v any
	if json.Unmarshal(text, &v) != nil {
		return string(text)
	}
	return v
}
