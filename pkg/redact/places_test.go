package redact

import (
	"encoding/json"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

const secret = "hunter2"

// planter fills a value of an API type: one element in each list and map, and a
// secret with the name of its field wherever any text may stand, except in the
// fields of kept. Named types of strings are enumerations; quantities, times and
// managed fields hold no text.
type planter struct {
	kept   map[string]string
	fields map[string]bool
}

func (p *planter) fill(v reflect.Value, field string) {
	switch v.Interface().(type) {
	case resource.Quantity, metav1.Time, metav1.MicroTime, time.Time, metav1.ManagedFieldsEntry, runtime.RawExtension:
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
		if v.Type() == reflect.TypeFor[string]() && p.kept[field] == "" {
			p.fields[field] = true
			v.SetString(secret + " of " + field + ".")
		}
	case reflect.Int64:
		if v.Type() == reflect.TypeFor[intstr.Type]() {
			v.SetInt(int64(intstr.String))
		}
	}
}

// template is a pod template with a secret in each field that is replaced.
func template(t *testing.T) corev1.PodTemplateSpec {
	t.Helper()
	p := planter{reasons(t), map[string]bool{}}
	var template corev1.PodTemplateSpec
	p.fill(reflect.ValueOf(&template).Elem(), "")
	if len(p.fields) < 15 {
		t.Fatalf("only %d fields", len(p.fields))
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

// left are the fields whose secrets are in an object.
func left(t *testing.T, obj any) (fields []string) {
	t.Helper()
	for _, m := range regexp.MustCompile(secret+` of ([\w.]+)\.`).FindAllStringSubmatch(text(t, obj), -1) {
		fields = append(fields, m[1])
	}
	slices.Sort(fields)
	return slices.Compact(fields)
}

// Every text of every type that a bundle holds is replaced, or kept with a reason.
func TestEveryText(t *testing.T) {
	unused := maps.Clone(reasons(t))
	for _, obj := range []any{
		&corev1.Pod{}, &corev1.PodTemplate{}, &corev1.ReplicationController{}, &appsv1.ReplicaSet{}, &appsv1.Deployment{},
		&appsv1.StatefulSet{}, &appsv1.DaemonSet{}, &appsv1.ControllerRevision{}, &batchv1.Job{}, &batchv1.CronJob{},
		&corev1.Event{}, &corev1.ResourceQuota{}, &corev1.LimitRange{}, &corev1.Namespace{}, &corev1.Node{},
		&corev1.PersistentVolumeClaim{}, &coordinationv1.Lease{},
	} {
		p := planter{fields: map[string]bool{}}
		p.fill(reflect.ValueOf(obj).Elem(), "")
		members := data(t, obj)
		New(Keep{}).Object(members)
		for _, field := range left(t, members) {
			if reasons(t)[field] == "" {
				t.Errorf("%T: the secret of %s is there: replace it, or say in testdata/kept.txt why it stays", obj, field)
			}
			delete(unused, field)
		}
	}
	for field := range unused {
		t.Errorf("%s is in testdata/kept.txt, and does not stay", field)
	}
}

// Wherever pod templates are, and in whatever kind.
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
		"UnitedDeployment":            map[string]any{"spec": map[string]any{"template": map[string]any{"cloneSetTemplate": map[string]any{"spec": map[string]any{"template": planted}}}, "topology": map[string]any{"subsets": []any{map[string]any{"patch": map[string]any{"spec": planted.Spec}}}}}},
		"unknown kind":                map[string]any{"workloads": []any{[]any{map[string]any{"pod": planted}}}, "status": map[string]any{"last": planted.Spec}},
		"env as map":                  map[string]any{"spec": map[string]any{"env": map[string]any{"PASSWORD": secret + " of env."}}},
		"revision whose data is text": map[string]any{"kind": "ControllerRevision", "data": secret + " of data."},
	} {
		obj := data(t, obj)
		if len(left(t, obj)) == 0 {
			t.Errorf("%s: nothing was planted", name)
		}
		New(Keep{}).Object(obj)
		for _, field := range left(t, obj) {
			t.Errorf("%s: the secret of %s is there", name, field)
		}
	}
}

// All other values stay, those of labels that are called as such fields too.
func TestTheRestStays(t *testing.T) {
	obj := data(t, map[string]any{
		"metadata": map[string]any{
			"labels":      map[string]any{"env": "prod", "args": "a", "command": "b", "annotations": "c"},
			"annotations": map[string]any{"checksum/config": strings.Repeat("0a", 32), "note": "a: b", "hosts": "a.example.com,b.example.com", "port": "8080", "on": "true", "word": "eyes", "digest": "sha256:" + strings.Repeat("0", 64), "sum": strings.Repeat("0f", 64), "hash": "5b66756758", "budget": "database-cafe", "percent": "50%"},
		},
		"spec": map[string]any{"containers": []any{map[string]any{"name": "main", "image": "web:1", "env": []any{map[string]any{"name": "EMPTY"}, map[string]any{"name": "FROM", "valueFrom": map[string]any{"secretKeyRef": map[string]any{"name": "s", "key": "k"}}}}, "args": []any{""}}}},
	})
	want := text(t, obj)
	New(Keep{}).Object(obj)
	if got := text(t, obj); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
