package inplace

import (
	"reflect"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/template"
)

// templateFrom reads a pod template in YAML.
func templateFrom(t *testing.T, text string) template.Template {
	t.Helper()
	var fields map[string]any
	if err := yaml.Unmarshal([]byte(text), &fields); err != nil {
		t.Fatal(err)
	}
	return template.Canonical(fields)
}

// changeOf compares two templates with the gates of a manager.
func changeOf(t *testing.T, from, to string, gates ...string) Change {
	t.Helper()
	on := map[string]bool{}
	for _, gate := range gates {
		on[gate] = true
	}
	before, after := templateFrom(t, from), templateFrom(t, to)
	return ReleaseOf(kruise.Program.Installed(profile.ProgramOptions{Version: "1.9", Gates: on}, profile.Manager{})).Compare(&before, &after)
}

const readingTemplate = `
metadata: {labels: {tier: front}, annotations: {note: "0", other: x}}
spec:
  containers:
  - name: main
    env:
    - {name: NOTE, valueFrom: {fieldRef: {fieldPath: "metadata.annotations['note']"}}}
    - {name: SIDECARSET_VERSION, valueFrom: {fieldRef: {fieldPath: "metadata.annotations['other']"}}}
    - {name: NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
  - name: second
    env:
    - {name: TIER, valueFrom: {fieldRef: {fieldPath: "metadata.labels['tier']"}}}
    - {name: NOTE, valueFrom: {fieldRef: {fieldPath: "metadata.annotations['note']"}}}
`

// A container restarts for metadata that its environment reads and that is new
// or changed. For what is removed it does not restart.
func TestReaders(t *testing.T) {
	for _, tt := range []struct {
		name, old, new string
		want           map[string]Metadata
	}{
		{"changed for both", `note: "0"`, `note: "1"`, map[string]Metadata{
			"main":   {Labels: map[string]string{}, Annotations: map[string]string{"note": "1"}},
			"second": {Labels: map[string]string{}, Annotations: map[string]string{"note": "1"}},
		}},
		{"changed for one", `tier: front`, `tier: back`, map[string]Metadata{
			"second": {Labels: map[string]string{"tier": "back"}, Annotations: map[string]string{}},
		}},
		{"removed", `note: "0", `, ``, map[string]Metadata{}},
		{"read by a variable of SidecarSets", `other: x`, `other: z`, map[string]Metadata{}},
		{"read by none", `note: "0", `, `note: "0", third: z, `, map[string]Metadata{}},
	} {
		to := strings.Replace(readingTemplate, tt.old, tt.new, 1)
		got := changeOf(t, readingTemplate, to)
		if got.Forbidden != "" || !reflect.DeepEqual(got.reads, tt.want) || len(got.restarts) != len(tt.want) {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
	for before, want := range map[string][]string{`app: web`: {"second"}, ``: nil} { // without labels, the whole map is added
		added := changeOf(t, strings.Replace(readingTemplate, `tier: front`, before, 1), readingTemplate)
		if !reflect.DeepEqual(added.restarts, want) {
			t.Errorf("a label added to {%s} restarts %v, want %v", before, added.restarts, want)
		}
	}
}

func resourceTemplate(resources ...string) string {
	text := "spec:\n  containers:\n"
	for i, r := range resources {
		text += "  - {name: c" + string(rune('0'+i)) + ", resources: {" + r + "}}\n"
	}
	return text
}

// Resources are changed in place while the QoS class of the template stays.
func TestQOSOfTemplates(t *testing.T) {
	full := "limits: {cpu: 1, memory: 1Gi}, requests: {cpu: 1, memory: 1Gi}"
	for _, tt := range []struct {
		name     string
		from, to []string
		changes  bool
	}{
		{"a memory request alone", []string{"requests: {memory: 1Gi}"}, []string{"requests: {memory: 2Gi}"}, false},
		{"limits alone stay Burstable", []string{"limits: {cpu: 1, memory: 1Gi}"}, []string{"limits: {cpu: 2, memory: 1Gi}"}, false},
		{"limits alone beside a full container", []string{full, "limits: {cpu: 1, memory: 1Gi}"}, []string{full, "limits: {cpu: 2, memory: 1Gi}"}, false},
		{"requests come to equal limits alone", []string{"limits: {cpu: 2, memory: 1Gi}, requests: {cpu: 1, memory: 1Gi}"}, []string{"limits: {cpu: 2, memory: 1Gi}, requests: {cpu: 2, memory: 1Gi}"}, true},
		{"limits alone beside a request come to equal it", []string{"limits: {cpu: 1, memory: 1Gi}, requests: {cpu: 2, memory: 1Gi}", "limits: {cpu: 2, memory: 1Gi}, requests: {memory: 1Gi}"}, []string{"limits: {cpu: 1, memory: 1Gi}, requests: {cpu: 3, memory: 1Gi}", "limits: {cpu: 2, memory: 1Gi}, requests: {memory: 1Gi}"}, true},
		{"a request falls to nothing", []string{"requests: {cpu: 1}"}, []string{"requests: {cpu: 0}"}, true},
		{"a limit of zero is none", []string{full}, []string{"limits: {cpu: 0, memory: 1Gi}, requests: {cpu: 1, memory: 1Gi}"}, true},
		{"cpu alone comes to its limit", []string{"limits: {cpu: 2}, requests: {cpu: 1}"}, []string{"limits: {cpu: 2}, requests: {cpu: 2}"}, false},
		{"requests fall below limits", []string{full}, []string{"limits: {cpu: 1, memory: 1Gi}, requests: {cpu: 500m, memory: 1Gi}"}, true},
	} {
		got := changeOf(t, resourceTemplate(tt.from...), resourceTemplate(tt.to...), kruise.VerticalScaling)
		if (got.Forbidden != "") != tt.changes {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
}

// Of a pod's spec only images, and with the gate amounts of cpu and memory, are
// changed in place, and only by replacing them.
func TestChangesInPlace(t *testing.T) {
	const plain = "metadata: {labels: {a: x}}\nspec:\n  containers:\n  - {name: main, image: 'web:1', env: [{name: A, value: x}], resources: {requests: {cpu: 1, example.com/gpu: 1}}}\n  initContainers: [{name: init, image: 'init:1'}]\n"
	for _, tt := range []struct{ name, old, new, forbidden string }{
		{"an image", "web:1", "web:2", ""},
		{"a label", "a: x", "b: z", ""},
		{"an image taken out", ", image: 'web:1'", "", "/spec/template/spec/containers/0/image"},
		{"the image of an init container", "init:1", "init:2", "/spec/template/spec/initContainers/0/image"},
		{"a container's name", "name: main", "name: other", "/spec/template/spec/containers/0/name"},
		{"a variable", "value: x", "value: z", "/spec/template/spec/containers/0/env/0/value"},
		{"an amount", "cpu: 1", "cpu: 2", ""},
		{"an amount of another resource", "gpu: 1", "gpu: 2", "/spec/template/spec/containers/0/resources/requests/example.com~1gpu"},
		{"an amount more", "cpu: 1", "cpu: 1, memory: 1Gi", "/spec/template/spec/containers/0/resources/requests/memory"},
		{"a container more", "  initContainers", "  - {name: second, image: x}\n  initContainers", "/spec/template/spec/containers/1"},
	} {
		if got := changeOf(t, plain, strings.Replace(plain, tt.old, tt.new, 1), kruise.VerticalScaling); got.Forbidden != tt.forbidden {
			t.Errorf("%s: forbidden %q, want %q", tt.name, got.Forbidden, tt.forbidden)
		}
	}
	if got := changeOf(t, strings.Replace(plain, ", image: 'web:1'", "", 1), plain); got.Forbidden == "" {
		t.Error("an image is put in place where there was none")
	}
	if got := changeOf(t, plain, strings.Replace(plain, "cpu: 1", "cpu: 2", 1)); got.Forbidden == "" {
		t.Error("resources are changed in place without the gate")
	}
}
