package template

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
)

// What a release of Kruise does not know of a template is dropped, wherever it
// stands.
func TestDroppedFields(t *testing.T) {
	const text = `
spec:
  hostUsers: true
  hostnameOverride: edge
  initContainers: [{name: proxy, restartPolicy: Always}]
  containers:
  - name: main
    lifecycle: {stopSignal: SIGUSR1, preStop: {sleep: {seconds: 3}}}
    env: [{name: A, valueFrom: {fileKeyRef: {path: a}}}]
  volumes: [{name: v, image: {reference: r}}]
`
	var fields map[string]any
	if err := yaml.Unmarshal([]byte(text), &fields); err != nil {
		t.Fatal(err)
	}
	always := []string{"template.spec.containers[0].env[0].valueFrom.fileKeyRef", "template.spec.containers[0].lifecycle.stopSignal", "template.spec.hostnameOverride"}
	since := map[string]int{
		"template.spec.hostUsers": 6, "template.spec.initContainers[0].restartPolicy": 7,
		"template.spec.containers[0].lifecycle.preStop.sleep": 8, "template.spec.volumes[0].image": 9,
	}
	for minor := 5; minor <= 9; minor++ {
		want := slices.Clone(always)
		for path, first := range since {
			if first > minor {
				want = append(want, path)
			}
		}
		got, dropped := Known(fields, profile.Version{Major: 1, Minor: minor, Patch: -1})
		slices.Sort(want)
		slices.Sort(dropped)
		if !slices.Equal(dropped, want) {
			t.Errorf("1.%d drops %q, want %q", minor, dropped, want)
		}
		for path, text := range map[string]string{"hostnameOverride": "edge", "hostUsers": "hostUsers", "sleep": "sleep"} {
			gone := slices.ContainsFunc(want, func(p string) bool { return strings.HasSuffix(p, path) })
			if strings.Contains(string(got.Raw), text) == gone {
				t.Errorf("1.%d: %s in %s", minor, path, got.Raw)
			}
		}
	}
}

// The table names fields of the types that this repository is built with.
func TestFieldsSinceNamesFields(t *testing.T) {
	found := map[string]bool{}
	note(reflect.TypeFor[corev1.PodTemplateSpec](), found)
	for field := range fieldsSince {
		if !found[field] {
			t.Errorf("no pod template has %s: run go generate", field)
		}
	}
}

func note(t reflect.Type, found map[string]bool) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		note(t.Elem(), found)
	case reflect.Struct:
		for field := range t.Fields() {
			if name := t.Name() + "." + field.Name; !found[name] {
				found[name] = true
				note(field.Type, found)
			}
		}
	}
}
