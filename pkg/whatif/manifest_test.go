package whatif

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

var now = metav1.NewTime(time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC))

func stored() *appsv1.ReplicaSet {
	labels := map[string]string{"app": "web"}
	return &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop", UID: "r", ResourceVersion: "7", Generation: 4, Labels: labels},
		Spec: appsv1.ReplicaSetSpec{
			Replicas: new(int32(3)), Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}},
		},
		Status: appsv1.ReplicaSetStatus{Replicas: 3},
	}
}

func manifest(k view.Kind, json string) Manifest {
	return Manifest{Kind: k, Namespace: "shop", Name: "web", JSON: []byte(json), Validated: validated}
}

// validated is what a kind may declare.
func validated(obj metav1.Object) *Workload {
	rs, ok := obj.(*appsv1.ReplicaSet)
	if !ok {
		return nil
	}
	return &Workload{Replicas: rs.Spec.Replicas, Selector: rs.Spec.Selector, Template: &rs.Spec.Template, Fixed: []string{"spec.selector"}}
}

func TestApplyChangesWhatIsMentioned(t *testing.T) {
	m := manifest(view.ReplicaSets, `{"apiVersion":"apps/v1","kind":"ReplicaSet",
		"metadata":{"name":"web","uid":"r","resourceVersion":"7","generation":99,"creationTimestamp":"2020-01-01T00:00:00Z","labels":{"tier":"front"}},
		"spec":{"replicas":5},"status":{"replicas":77}}`)
	obj, changes, err := m.Apply(stored(), now)
	if err != nil {
		t.Fatal(err)
	}
	rs := obj.(*appsv1.ReplicaSet)
	if *rs.Spec.Replicas != 5 || rs.Status.Replicas != 3 || rs.UID != "r" || rs.Generation != 5 {
		t.Errorf("got replicas %d, status %d, uid %s, generation %d", *rs.Spec.Replicas, rs.Status.Replicas, rs.UID, rs.Generation)
	}
	var paths []string
	for _, c := range changes {
		paths = append(paths, c.Path+": "+c.From+" → "+c.To)
	}
	want := []string{"metadata.labels.tier: unset → front", "spec.replicas: 3 → 5"}
	if diff := cmp.Diff(want, paths); diff != "" {
		t.Error(diff)
	}
}

func TestApplyOfTheSameChangesNothing(t *testing.T) {
	m := manifest(view.ReplicaSets, `{"metadata":{"name":"web"},"spec":{"replicas":3}}`)
	obj, changes, err := m.Apply(stored(), now)
	if err != nil || len(changes) > 0 || obj.GetGeneration() != 4 {
		t.Errorf("got changes %v, generation %d, error %v", changes, obj.GetGeneration(), err)
	}
}

func TestApplyCreates(t *testing.T) {
	m := manifest(view.ReplicationControllers, `{"apiVersion":"v1","kind":"ReplicationController","metadata":{"name":"web"},
		"spec":{"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"app","image":"i"}]}}}}`)
	m.Default = func(obj, old metav1.Object) {
		if rc := obj.(*corev1.ReplicationController); old == nil {
			rc.Spec.Selector = rc.Spec.Template.Labels
		}
	}
	obj, changes, err := m.Apply(nil, now)
	if err != nil {
		t.Fatal(err)
	}
	rc := obj.(*corev1.ReplicationController)
	if rc.Namespace != "shop" || rc.UID != "new:replicationcontroller/shop/web" || !rc.CreationTimestamp.Equal(&now) || rc.Spec.Selector["app"] != "web" {
		t.Errorf("got %+v", rc.ObjectMeta)
	}
	if len(changes) != 1 || changes[0].To != "created" {
		t.Errorf("got %v", changes)
	}
}

func TestApplyRefuses(t *testing.T) {
	for name, c := range map[string]struct{ json, want string }{
		"selector":            {`{"spec":{"selector":{"matchLabels":{"app":"b"}}}}`, "refuses to change the selector"},
		"uid":                 {`{"metadata":{"uid":"other"},"spec":{"replicas":3}}`, "metadata.uid other is that of another object"},
		"older version":       {`{"metadata":{"resourceVersion":"6"},"spec":{"replicas":3}}`, "metadata.resourceVersion 6 is that of another version of the object, which is 7 now"},
		"negative":            {`{"spec":{"replicas":-1}}`, "spec.replicas -1"},
		"template labels":     {`{"spec":{"template":{"metadata":{"labels":{"app":"b"}}}}}`, "(app=b) do not match spec.selector (app=web)"},
		"value of wrong type": {`{"spec":{"replicas":"many"}}`, "reading the changed replicaset"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := manifest(view.ReplicaSets, c.json).Apply(stored(), now)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if _, _, asks := manifest(view.ReplicaSets, c.json).Request(stored()); strings.HasPrefix(c.want, "metadata.") && asks == nil {
				t.Error("the API server is asked")
			}
		})
	}
}

// TestApplyRefusesWhatAKindSaysOfItsFields: those of a change that it touches, and of two
// that are held together either.
func TestApplyRefusesWhatAKindSaysOfItsFields(t *testing.T) {
	for name, c := range map[string]struct{ json, want string }{
		"the field":         {`{"spec":{"minReadySeconds":8}}`, "spec.minReadySeconds: too long; spec.minReadySeconds: too long beside replicas: the API"},
		"the one beside":    {`{"spec":{"replicas":5}}`, "replicaset/shop/web: spec.minReadySeconds: too long beside replicas: the API"},
		"neither":           {`{"metadata":{"labels":{"tier":"front"}}}`, ""},
		"volume of a claim": {`{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"i","volumeMounts":[{"name":"data","mountPath":"/data"}]}]}}}}`, ""},
		"no volume":         {`{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"i","volumeMounts":[{"name":"logs","mountPath":"/logs"}]}]}}}}`, `no volume "logs"`},
	} {
		t.Run(name, func(t *testing.T) {
			m := manifest(view.ReplicaSets, c.json)
			m.Validated = func(obj metav1.Object) *Workload {
				w := validated(obj)
				w.Claims = []string{"data"}
				w.Spec = func(v *Validation) {
					v.Refuse("spec.minReadySeconds", "too long")
					v.RefuseWith("spec.minReadySeconds", "spec.replicas", "too long beside replicas")
				}
				return w
			}
			_, _, err := m.Apply(stored(), now)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// TestApplyTakesStoredObjectsAsTheyAre: files may hold a set in part.
func TestApplyTakesStoredObjectsAsTheyAre(t *testing.T) {
	rs := stored()
	rs.Spec.Template.Labels = nil
	if _, _, err := manifest(view.ReplicaSets, `{"spec":{"replicas":1}}`).Apply(rs, now); err != nil {
		t.Error(err)
	}
}

func TestCheck(t *testing.T) {
	for json, want := range map[string]string{
		`{"apiVersion":"apps/v1","kind":"ReplicaSet","spec":{"replicas":1}}`:              "",
		`{"apiVersion":"apps/v1","kind":"ReplicaSet","spec":{"replcas":1}}`:               `unknown field "spec.replcas"`,
		`{"apiVersion":"apps/v1","kind":"ReplicaSet","spec":{"replicas":1,"replicas":2}}`: `duplicate field "spec.replicas"`,
	} {
		err := manifest(view.ReplicaSets, json).Check()
		if (err == nil) != (want == "") || err != nil && !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", json, err, want)
		}
	}
}

func TestMergeUntyped(t *testing.T) {
	for _, c := range []struct{ object, patch, want string }{
		{`{"spec":{"replicas":1,"paused":true}}`, `{"spec":{"replicas":2}}`, `{"spec":{"paused":true,"replicas":2}}`},
		{`{"spec":{"list":[1,2]}}`, `{"spec":{"list":[3]}}`, `{"spec":{"list":[3]}}`},
		{`{"spec":{"a":1,"b":2}}`, `{"spec":{"a":null}}`, `{"spec":{"b":2}}`},
		{`{}`, `{"spec":{"a":{"b":1}}}`, `{"spec":{"a":{"b":1}}}`},
	} {
		got, err := merge(view.CloneSets, []byte(c.object), []byte(c.patch))
		if err != nil || string(got) != c.want {
			t.Errorf("%s with %s: got %s, %v, want %s", c.object, c.patch, got, err, c.want)
		}
	}
}

// TestApplyRemovesWhatTheLastManifestHad: containers, fields and labels that the manifest
// which was applied last has, and this one has not, as kubectl apply removes them. What
// others set stays.
func TestApplyRemovesWhatTheLastManifestHad(t *testing.T) {
	const (
		last = `{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"web","namespace":"shop","labels":{"app":"web","tier":"front"},"annotations":{}},
			"spec":{"replicas":3,"minReadySeconds":30,"template":{"spec":{"containers":[{"name":"web","image":"web:1"},{"name":"log","image":"log:1"}]}}}}`
		next = `{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"web","labels":{"app":"web"}},
			"spec":{"template":{"spec":{"containers":[{"name":"web","image":"web:2"}]}}}}`
	)
	live := func() *appsv1.ReplicaSet {
		rs := stored()
		rs.Labels, rs.Spec.MinReadySeconds = map[string]string{"app": "web", "tier": "front"}, 30
		rs.Spec.Template.Spec.Containers = []corev1.Container{{Name: "web", Image: "web:1"}, {Name: "log", Image: "log:1"}, {Name: "injected", Image: "mesh:1"}}
		return rs
	}
	for name, c := range map[string]struct {
		last string
		want []string
	}{
		"known": {last, []string{
			"metadata.labels.tier: front → unset", "spec.minReadySeconds: 30 → unset", "spec.replicas: 3 → unset",
			`spec.template.spec.containers: web:1 log:1 mesh:1 → web:2 mesh:1`,
		}},
		"not known": {"", []string{`spec.template.spec.containers: web:1 log:1 mesh:1 → web:2 log:1 mesh:1`}},
	} {
		t.Run(name, func(t *testing.T) {
			rs := live()
			if c.last != "" {
				rs.Annotations = map[string]string{corev1.LastAppliedConfigAnnotation: c.last}
			}
			m := manifest(view.ReplicaSets, next)
			m.Validated = nil
			obj, changes, err := m.Apply(rs, now)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, change := range changes {
				if !strings.HasPrefix(change.Path, "spec.template") {
					got = append(got, change.Path+": "+change.From+" → "+change.To)
				}
			}
			got = append(got, "spec.template.spec.containers: "+images(rs)+" → "+images(obj.(*appsv1.ReplicaSet)))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			kind, patch, err := m.Request(rs)
			if err != nil || kind != types.StrategicMergePatchType || strings.Contains(string(patch), `"$patch":"delete"`) != (c.last != "") {
				t.Errorf("sends %s %s, %v", kind, patch, err)
			}
		})
	}
}

func images(rs *appsv1.ReplicaSet) string {
	var all []string
	for _, c := range rs.Spec.Template.Spec.Containers {
		all = append(all, c.Image)
	}
	return strings.Join(all, " ")
}

// TestKept: what stays by the manifest that was applied last is told of snapshots alone,
// and only where something stays.
func TestKept(t *testing.T) {
	const same, less = `{"metadata":{"name":"web"},"spec":{"replicas":3,"serviceName":"web"}}`,
		`{"metadata":{"name":"web"},"spec":{}}`
	for name, c := range map[string]struct {
		annotation, manifest string
		want                 []string
	}{
		"nothing was applied":      {"", less, nil},
		"it is known":              {`{"spec":{}}`, less, nil},
		"a snapshot leaves it out": {view.LeftOut, less, []string{"spec.replicas", "spec.serviceName"}},
		"and nothing stays":        {view.LeftOut, same, nil},
	} {
		t.Run(name, func(t *testing.T) {
			live := &appsv1.StatefulSet{
				ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop", Annotations: map[string]string{corev1.LastAppliedConfigAnnotation: c.annotation}},
				Spec:       appsv1.StatefulSetSpec{Replicas: new(int32(3)), ServiceName: "web"},
				Status:     appsv1.StatefulSetStatus{Replicas: 3},
			}
			m := manifest(view.StatefulSets, c.manifest)
			applied, _, err := m.Apply(live, now)
			if err != nil {
				t.Fatal(err)
			}
			got, err := m.Kept(live, applied)
			if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
				t.Error(diff, err)
			}
		})
	}
	if got, err := manifest(view.StatefulSets, less).Kept(nil, nil); got != nil || err != nil {
		t.Errorf("of a new object: %v, %v", got, err)
	}
}
