package redact

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

const secret = "hunter2"

// planted are the fields of the API's types whose values may be secrets.
var planted = map[string]bool{
	"EnvVar.Value": true, "HTTPHeader.Value": true, "ExecAction.Command": true, "CSIVolumeSource.VolumeAttributes": true,
	"Container.Args": true, "Container.Command": true, "EphemeralContainerCommon.Args": true, "EphemeralContainerCommon.Command": true,
}

// planter fills a value of an API type: one element in each list and map, and
// the secret wherever one may stand.
type planter struct{ places int }

func (p *planter) fill(v reflect.Value, field string) {
	switch v.Interface().(type) {
	case resource.Quantity, metav1.Time, metav1.MicroTime, time.Time, metav1.ManagedFieldsEntry:
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		p.fill(v.Elem(), field)
	case reflect.Struct:
		for i := range v.NumField() {
			p.fill(v.Field(i), v.Type().Name()+"."+v.Type().Field(i).Name)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		p.fill(v.Index(0), field)
	case reflect.Map:
		value := reflect.New(v.Type().Elem()).Elem()
		p.fill(value, field)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("key").Convert(v.Type().Key()), value)
	case reflect.String:
		v.SetString("kept")
		if planted[field] {
			p.places++
			v.SetString(secret)
		}
	}
}

// template is a pod template with the secret in every place.
func template(t *testing.T) corev1.PodTemplateSpec {
	t.Helper()
	var p planter
	var template corev1.PodTemplateSpec
	p.fill(reflect.ValueOf(&template).Elem(), "")
	if p.places < 40 {
		t.Fatalf("only %d places", p.places)
	}
	return template
}

func data(t *testing.T, v any) map[string]any {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func text(t *testing.T, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// Wherever the API's types have such a field, and in whatever kind.
func TestEveryPlace(t *testing.T) {
	planted := template(t)
	for name, obj := range map[string]any{
		"Pod":         &corev1.Pod{Spec: planted.Spec},
		"PodTemplate": &corev1.PodTemplate{Template: planted},
		"Deployment":  &appsv1.Deployment{Spec: appsv1.DeploymentSpec{Template: planted}},
		"ControllerRevision": &appsv1.ControllerRevision{Data: runtime.RawExtension{
			Raw: []byte(text(t, map[string]any{"spec": map[string]any{"template": planted}})),
		}},
		"CloneSet":                    map[string]any{"spec": map[string]any{"template": planted}},
		"unknown kind":                map[string]any{"workloads": []any{[]any{map[string]any{"pod": planted}}}, "status": map[string]any{"last": planted.Spec}},
		"env as map":                  map[string]any{"spec": map[string]any{"env": map[string]any{"PASSWORD": secret}}},
		"revision whose data is text": map[string]any{"kind": "ControllerRevision", "data": secret},
	} {
		obj := data(t, obj)
		if !strings.Contains(text(t, obj), secret) {
			t.Errorf("%s: nothing was planted", name)
		}
		New(Keep{}).Object(obj)
		if got := text(t, obj); strings.Contains(got, secret) {
			i := strings.Index(got, secret)
			t.Errorf("%s: the secret is there: …%s", name, got[max(0, i-100):i+20])
		}
	}
}

// All other values stay, those of labels that are called as such fields too.
func TestTheRestStays(t *testing.T) {
	obj := data(t, map[string]any{
		"metadata": map[string]any{
			"labels":      map[string]any{"env": "prod", "args": "a", "command": "b", "annotations": "c"},
			"annotations": map[string]any{"checksum/config": strings.Repeat("0a", 32), "note": "a: b", "hosts": "a.example.com,b.example.com", "port": "8080", "on": "true", "word": "eyes", "digest": "sha256:" + strings.Repeat("0", 64)},
		},
		"spec": map[string]any{"containers": []any{map[string]any{"name": "main", "image": "web:1", "env": []any{map[string]any{"name": "EMPTY"}, map[string]any{"name": "FROM", "valueFrom": map[string]any{"secretKeyRef": map[string]any{"name": "s", "key": "k"}}}}, "args": []any{""}}}},
	})
	want := text(t, obj)
	New(Keep{}).Object(obj)
	if got := text(t, obj); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
