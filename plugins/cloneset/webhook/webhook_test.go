package webhook

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/inplace"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/template"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// TestDefault compares with what the real webhook stored.
func TestDefault(t *testing.T) {
	given, stored := read(t, "testdata/given.yaml"), read(t, "testdata/stored.yaml")
	Default(given, nil)
	ours, theirs := decoded(t, given), decoded(t, stored)
	if a, b := template.Canonical(ours.TemplateFields()), template.Canonical(theirs.TemplateFields()); !a.Same(b) {
		t.Errorf("templates differ: %v", inplace.Difference(a.Fields, b.Fields))
	}
	ours.Spec.Template = theirs.Spec.Template // compared above
	if !reflect.DeepEqual(ours.Spec, theirs.Spec) {
		t.Errorf("got %+v\nwant %+v", ours.Spec, theirs.Spec)
	}
}

// TestDefaultKeepsOldTemplates: a template that is stored as it was is not
// completed, which would make it another revision.
func TestDefaultKeepsOldTemplates(t *testing.T) {
	old := read(t, "testdata/given.yaml")
	changed := old.DeepCopy()
	child(changed.Object, "spec")["replicas"] = int64(3)
	Default(changed, old)
	if !template.Canonical(decoded(t, changed).TemplateFields()).Same(template.Canonical(decoded(t, old).TemplateFields())) {
		t.Error("the template was completed")
	}
}

// TestRefuse: each change of a spec that can be stored, and why it can't be.
func TestRefuse(t *testing.T) {
	v, err := clusterdsl.Parse("cs sample selector=app=web replicas=2 image=web:1 type=InPlaceIfPossible\n" +
		"rev sample-a of=cs/sample number=1 app=web image=web:1\n" +
		"kpod sample-0 of=cs/sample app=web rev=sample-a id=0 state=Normal node=n0 ready=10m age=1h\n" +
		"kpod sample-1 of=cs/sample app=web rev=sample-a id=1 state=Normal node=n0 ready=10m age=1h deleting=1m\n" +
		"pod other app=web age=1h")
	if err != nil {
		t.Fatal(err)
	}
	old := v.All(api.Kinds[0])[0].(*unstructured.Unstructured)
	for _, c := range []struct{ version, set, why string }{
		{"1.9", "replicas: 3", ""},
		{"1.9", "replica: 3", `unknown field "spec.replica"`},
		{"1.9", "updateStrategy: {Partition: 3}", `unknown field "spec.updateStrategy.Partition"`},
		{"1.9", "template: {spec: {hostname: a, hostName: b}}", ""}, // its schema keeps what it does not know
		{"1.9", "volumeClaimTemplates: [{metadata: {name: data}, spec: {newer: a}}]", ""},
		{"1.9", "replicas: -1", "spec.replicas: -1 is less than 0"},
		{"1.9", "selector: {matchLabels: {app: mail}}", "spec.selector: can't be changed"},
		{"1.9", "template: {metadata: {labels: {app: mail}}}", "spec.template.metadata.labels: app=mail do not match spec.selector app=web"},
		{"1.9", "template: {spec: {restartPolicy: Never}}", `spec.template.spec.restartPolicy: "Never" is not Always`},
		{"1.9", "template: {spec: {activeDeadlineSeconds: 5}}", "spec.template.spec.activeDeadlineSeconds: a CloneSet's Pods can't have one"},
		{"1.9", `template: {spec: {containers: [{name: main, image: "web:1", imagePullPolicy: Sometimes}]}}`, `spec.template.spec.containers: [0] (main): imagePullPolicy: "Sometimes" is none of`},
		{"1.8", `template: {spec: {containers: [{name: main, image: "web:1", volumeMounts: [{name: data, mountPath: /data}]}]}}`, `spec.template.spec.containers: [0] (main): volumeMounts: no volume "data"`},
		{"1.9", `{volumeClaimTemplates: [{metadata: {name: data}}], template: {spec: {containers: [{name: main, image: "web:1", volumeMounts: [{name: data, mountPath: /data}]}]}}}`, ""},
		{"1.9", "scaleStrategy: {podsToDelete: [sample-0]}", ""},
		{"1.9", "scaleStrategy: {podsToDelete: [sample-0, sample-0]}", "spec.scaleStrategy.podsToDelete: sample-0 is named twice"},
		{"1.9", "scaleStrategy: {podsToDelete: [none]}", "spec.scaleStrategy.podsToDelete: there is no Pod none"},
		{"1.9", "scaleStrategy: {podsToDelete: [sample-1]}", "spec.scaleStrategy.podsToDelete: Pod sample-1 is terminating already"},
		{"1.9", "scaleStrategy: {podsToDelete: [other]}", "spec.scaleStrategy.podsToDelete: Pod other is not controlled by this CloneSet"},
		{"1.9", "updateStrategy: {type: OnDelete}", `spec.updateStrategy.type: "OnDelete" is none of ReCreate, InPlaceIfPossible, InPlaceOnly`},
		{"1.9", "updateStrategy: {partition: -1}", "spec.updateStrategy.partition: -1 is less than 0"},
		{"1.9", "updateStrategy: {partition: -60%}", "spec.updateStrategy.partition: -60% is less than 0"},
		{"1.9", "updateStrategy: {partition: many}", `spec.updateStrategy.partition: "many" is neither a number nor a percentage`},
		{"1.9", "updateStrategy: {maxUnavailable: 12.5%}", ""},
		{"1.8", "updateStrategy: {maxUnavailable: 12.5%}", `spec.updateStrategy.maxUnavailable: "12.5%" is no whole number of percent`},
		{"1.9", `updateStrategy: {maxUnavailable: "5"}`, `spec.updateStrategy.maxUnavailable: "5" is neither a number nor a percentage`},
		{"1.8", `updateStrategy: {maxUnavailable: "5"}`, ""},
		{"1.9", "updateStrategy: {maxUnavailable: 0}", "spec.updateStrategy.maxUnavailable: one of maxUnavailable and maxSurge has to be at least 1"},
		{"1.9", "updateStrategy: {maxUnavailable: 0, maxSurge: 1}", ""},
		{"1.9", "updateStrategy: {type: InPlaceOnly, maxSurge: 1}", "spec.updateStrategy.maxSurge: type InPlaceOnly allows none"},
		{"1.9", "{updateStrategy: {type: InPlaceOnly}, template: {spec: {hostPID: true}}}", "spec.template: with type InPlaceOnly only images can be changed, not add /spec/hostPID"},
		{"1.9", "updateStrategy: {priorityStrategy: {orderPriority: [{orderedKey: a}], weightPriority: [{weight: 1, matchSelector: {matchLabels: {a: b}}}]}}", "spec.updateStrategy.priorityStrategy: weightPriority and orderPriority exclude each other"},
		{"1.9", "updateStrategy: {priorityStrategy: {weightPriority: [{weight: 101, matchSelector: {matchLabels: {a: b}}}]}}", "spec.updateStrategy.priorityStrategy: weight 101 is not from 0 to 100"},
		{"1.9", "updateStrategy: {scatterStrategy: [{key: a, value: b}, {key: a, value: b}]}", "spec.updateStrategy.scatterStrategy: a=b is given twice"},
		{"1.9", "updateStrategy: {priorityStrategy: {weightPriority: [{weight: 1, matchSelector: {matchExpressions: [{key: a, operator: Like}]}}]}}", `spec.updateStrategy.priorityStrategy: a weight's matchSelector: "Like" is not a valid label selector operator`},
		{"1.9", "{minReadySeconds: -5, progressDeadlineSeconds: -1}", "spec.progressDeadlineSeconds: -1 is less than 0"},
		{"1.9", "{minReadySeconds: 10, progressDeadlineSeconds: 10}", "spec.progressDeadlineSeconds: 10 is not greater than minReadySeconds 10"},
		{"1.8", "{minReadySeconds: 10, progressDeadlineSeconds: 10}", ""},
	} {
		p, err := profile.New(profile.Options{Emulate: "1.36", Programs: map[string]profile.ProgramOptions{kruise.Program.Name: {Version: c.version}}})
		if err != nil {
			t.Fatal(err)
		}
		d, err := Refuse(v.Reader(), p, laid(t, old, c.set), old)
		switch {
		case err != nil:
			t.Errorf("%s: %v", c.set, err)
		case d == nil && c.why != "":
			t.Errorf("%s is let pass, want %s", c.set, c.why)
		case d != nil && (c.why == "" || !strings.HasPrefix(d.Refused[0], c.why)):
			t.Errorf("%s: got %q, want %q", c.set, d.Refused, c.why)
		}
	}
}

// TestRefuseKeepsUnknownFields: what is stored already is not refused.
func TestRefuseKeepsUnknownFields(t *testing.T) {
	v, err := clusterdsl.Parse("cs sample selector=app=web replicas=2 image=web:1 type=InPlaceIfPossible")
	if err != nil {
		t.Fatal(err)
	}
	old := laid(t, v.All(api.Kinds[0])[0].(*unstructured.Unstructured), "newer: {a: b}")
	p, err := profile.New(profile.Options{Emulate: "1.36", Programs: map[string]profile.ProgramOptions{kruise.Program.Name: {Version: "1.9"}}})
	if err != nil {
		t.Fatal(err)
	}
	if d, err := Refuse(v.Reader(), p, laid(t, old, "replicas: 3"), old); d != nil || err != nil {
		t.Errorf("got %v, %v", d, err)
	}
}

// laid is old with fields of another spec laid over its own.
func laid(t *testing.T, old *unstructured.Unstructured, text string) *unstructured.Unstructured {
	t.Helper()
	var fields map[string]any
	if err := yaml.Unmarshal([]byte(text), &fields); err != nil {
		t.Fatal(err)
	}
	u := old.DeepCopy()
	lay(child(u.Object, "spec"), fields)
	return u
}

func lay(over, fields map[string]any) {
	for k, v := range fields {
		if m, ok := v.(map[string]any); ok && k != "matchLabels" {
			lay(child(over, k), m)
			continue
		}
		over[k] = v
	}
}

func read(t *testing.T, path string) *unstructured.Unstructured {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	u := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(text, &u.Object); err != nil {
		t.Fatal(err)
	}
	return u
}

func decoded(t *testing.T, u *unstructured.Unstructured) *api.Set {
	t.Helper()
	s, err := api.Read(u)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
