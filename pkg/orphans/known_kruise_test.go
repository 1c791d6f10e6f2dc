package orphans

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// TestKruiseInstance is about what Kruise's StatefulSet has besides the built-in
// one's fields.
func TestKruiseInstance(t *testing.T) {
	type fields = map[string]any
	rolling := func(f fields) fields {
		return fields{"replicas": int64(2), "updateStrategy": fields{"type": "RollingUpdate", "rollingUpdate": f}}
	}
	for _, c := range []struct {
		name     string
		spec     fields
		revision string
		rule     string
		outdated string
	}{
		{"of an older revision", rolling(fields{}), "web-old", ThenInstance, "true"},
		{"of no revision", rolling(fields{"podUpdatePolicy": "InPlaceIfPossible"}), "", ThenInstance, "true"},
		{"perhaps updated in place", rolling(fields{"podUpdatePolicy": "InPlaceIfPossible"}), "web-old", ThenInstance, "false"},
		{"paused", rolling(fields{"paused": true}), "web-old", ThenInstance, "false"},
		{"before the partition", rolling(fields{"partition": int64(2)}), "web-old", ThenInstance, "false"},
		{"beyond the replicas", fields{"replicas": int64(1)}, "", ThenCondemned, "false"},
		{"with reserved ordinals", fields{"replicas": int64(2), "reserveOrdinals": []any{int64(0)}}, "", "", ""},
	} {
		set := &unstructured.Unstructured{Object: fields{"kind": "StatefulSet", "spec": c.spec, "status": fields{"updateRevision": "web-new"}}}
		set.SetName("web")
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web-1", Labels: map[string]string{"controller-revision-hash": c.revision}}}
		got := ofKruise(set, pod, move{joins: true})
		if got.Rule != c.rule || got.Facts.Str("outdated") != c.outdated {
			t.Errorf("%s: %s, outdated %q; want %s, %q", c.name, got.Rule, got.Facts.Str("outdated"), c.rule, c.outdated)
		}
	}
}
